import { isSecretPath, withoutSecrets } from '../../src/domain/beats/secret-rules.ts'
import type { Assertion } from '../../src/domain/beats/targets/assertion.ts'
import type { HttpTarget } from '../../src/domain/beats/targets/http.ts'
import { holds, type Operator } from '../../src/domain/kernel/conditions.ts'
import { valuesAt } from '../../src/domain/kernel/json-path.ts'
import { cut } from '../../src/domain/kernel/text-rules.ts'
import { Work } from '../../src/domain/kernel/work.ts'
import { textOf } from './body.ts'
import type { Answer } from './exchange.ts'
import { hiddenFrom, masked, secretsIn } from './secrets.ts'

/** The first assertion that does not hold, as evidence; null when all do. */
export async function brokenAssertion(target: HttpTarget, answer: Answer): Promise<string | null> {
  const { assertions = [] } = target
  if (assertions.length === 0) return null
  const needsBody = assertions.some(({ source }) => source !== 'header')
  const { text, cut } = needsBody ? await textOf(answer) : { text: '', cut: false }
  const json = assertions.some(({ source }) => source === 'json') ? parsed(text) : undefined
  const work = new Work()
  for (const assertion of assertions) {
    if (assertion.source === 'json' && json === undefined) {
      return cut || answer.cut ? 'The body is longer than 256 KiB, so its JSON was not read' : 'The body is not JSON'
    }
    const found = valuesFor(assertion, answer, text, json?.document, work)
    const met = found !== null && holds(assertion.operator, found, assertion.value, work)
    if (work.isSpent) return givenUp(assertion)
    if (found === null) return `The JSON is too large or too deep for ${assertion.path}`
    if (!met) {
      const hidden = hiddenFrom(assertion.path ?? '', json?.document)
      const quotable = found.slice(0, 1).map((value) => masked(value, hidden))
      return evidence(assertion, quotable, secretsIn(target))
    }
  }
  return null
}

function valuesFor(
  assertion: Assertion,
  answer: Answer,
  text: string,
  document: unknown,
  work: Work,
): unknown[] | null {
  const { source, path = '' } = assertion
  if (source === 'body') return [text]
  if (source === 'header') return [answer.headers[path.toLowerCase()]].flat().filter((value) => value !== undefined)
  try {
    return valuesAt(path, document, work)
  } catch {
    return null
  }
}

/** What all of them may take together is spent, so it is not known whether this one holds. */
const givenUp = ({ operator, path }: Assertion) =>
  `The assertions are too costly for what was answered: they were given up at ${operator} on ${path ?? 'the body'}`

/** A JSON body may be `null`, so what was read is put into an object. */
function parsed(text: string): { document: unknown } | undefined {
  try {
    return { document: JSON.parse(text.replace(/^\ufeff/, '')) }
  } catch {
    return undefined
  }
}

const wanted: Record<Operator, string> = {
  exists: 'to exist',
  equals: 'to be',
  eq: 'to be',
  not_equals: 'not to be',
  neq: 'not to be',
  contains: 'to contain',
  regex: 'to match',
  in: 'to be one of',
  greater_than: 'to be over',
  greater_or_equal: 'to be at least',
  less_than: 'to be under',
  less_or_equal: 'to be at most',
  after: 'to be after',
  before: 'to be before',
}

function evidence(
  { source, path = '', operator, value }: Assertion,
  found: unknown[],
  secrets: readonly string[],
): string {
  const place = source === 'body' ? 'The body' : source === 'header' ? `The header ${path}` : `The JSON at ${path}`
  if (operator === 'exists') return `${place} ${value === false ? 'is there, expected none' : 'is missing'}`
  // What a secret was, or had to be, must not be read here.
  const secret = isSecretPath(path)
  const expected = `expected it ${wanted[operator]} ${secret ? 'something else' : short(value, secrets)}`
  if (found.length === 0) return `${place} is missing, ${expected}`
  if (source === 'body') return `${place} is not as wanted: ${expected}`
  return `${place} is ${secret ? 'not as wanted' : short(found[0], secrets)}, ${expected}`
}

/** Longer than what is shown with the longest secret that could begin there: the rest need not be looked through. */
const LOOKED_THROUGH = 16_384

/** Secrets go before the text is cut, which could leave the half of one. */
function short(value: unknown, secrets: readonly string[]): string {
  const text = withoutSecrets((JSON.stringify(value) ?? 'nothing').slice(0, LOOKED_THROUGH), secrets)
  return text.length > 80 ? `${cut(text, 79)}…` : text
}
