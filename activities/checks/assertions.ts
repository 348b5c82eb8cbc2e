import type { Assertion } from '../../src/domain/beats/types/assertion.ts'
import type { HttpTarget } from '../../src/domain/beats/types/http.ts'
import type { ConditionOutcome, Document } from '../../src/domain/evaluation/jobs.ts'
import { LONGEST_QUOTE, quote } from '../../src/domain/evaluation/quote.ts'
import type { Operator } from '../../src/domain/evaluation/schema.ts'
import { cut } from '../../src/domain/kernel/text-rules.ts'
import { isSecretPath, REDACTED } from '../../src/outbound/secret-rules.ts'
import type { Attempt } from './attempt.ts'
import { charsetOf, unpackedBody } from './body.ts'
import { CheckImpossible } from './evidence.ts'
import type { Answer } from './exchange.ts'
import { secretsIn } from './secrets.ts'

/** The first assertion that does not hold, as evidence; null when all do. */
export async function brokenAssertion(target: HttpTarget, answer: Answer, attempt: Attempt): Promise<string | null> {
  const { assertions = [] } = target
  if (assertions.length === 0) return null
  const needsBody = assertions.some(({ source }) => source !== 'header')
  const { body, cut } = needsBody ? await unpackedBody(answer) : { body: new Uint8Array(), cut: false }
  const document = { body, charset: charsetOf(answer), headers: askedHeaders(assertions, answer) }
  const outcomes = await attempt.evaluate({ document, conditions: assertions, until: 'first_unmet' })
  if ('ended' in outcomes) {
    if (outcomes.ended === 'too_expensive') return tooExpensive(assertions[outcomes.at]!)
    throw new CheckImpossible('The worker could not evaluate the assertions in time: it has too many to evaluate')
  }
  const index = outcomes.length - 1
  const last = outcomes[index]!
  return last.met ? null : unmet(assertions[index]!, last, cut || answer.cut, secretsIn(target))
}

function askedHeaders(assertions: readonly Assertion[], { headers }: Answer): Document['headers'] {
  const asked = assertions.flatMap(({ source, path }) => (source === 'header' && path ? [path.toLowerCase()] : []))
  return Object.fromEntries(asked.map((name) => [name, [headers[name]].flat().filter((value) => value !== undefined)]))
}

/** All assertions of a check share one budget, so this one may be cheap itself. */
const tooExpensive = ({ operator, path }: Assertion) =>
  `The assertions are too costly for what was answered: they were given up at ${operator} on ${path ?? 'the body'}`

function unmet(
  assertion: Assertion,
  outcome: ConditionOutcome & { met: false },
  isCut: boolean,
  secrets: readonly string[],
): string {
  if (!('unreadable' in outcome)) return evidence(assertion, outcome.found, secrets)
  if (outcome.unreadable === 'too_deep') return `The JSON is too large or too deep for ${assertion.path}`
  return isCut ? 'The body is longer than 256 KiB, so its JSON was not read' : 'The body is not JSON'
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
  found: string | null,
  secrets: readonly string[],
): string {
  const place = source === 'body' ? 'The body' : source === 'header' ? `The header ${path}` : `The JSON at ${path}`
  if (operator === 'exists') return `${place} ${value === false ? 'is there, expected none' : 'is missing'}`
  // What a secret was, or had to be, must not be read here.
  const secret = isSecretPath(path)
  const expected = `expected it ${wanted[operator]} ${secret ? 'something else' : shown(quote(value), secrets)}`
  if (found === null) return `${place} is missing, ${expected}`
  if (source === 'body') return `${place} is not as wanted: ${expected}`
  return `${place} is ${secret ? 'not as wanted' : shown(found, secrets)}, ${expected}`
}

const LONGEST_SHOWN = 80
/** A secret is recognized by this many of its first characters. */
const COMPARED = 100

/**
 * A quote as it may be shown. Secrets go before the quote is cut, which could leave the half of one; what remains behind
 * the start of a long secret goes as well, and so does the end of a quote in which a secret could have been cut off.
 */
function shown(quoted: string, secrets: readonly string[]): string {
  const isWhole = quoted.length < LONGEST_QUOTE
  let isEndSafe = isWhole
  let text = quoted
  for (const secret of secrets) {
    const at = secret.length > COMPARED ? text.indexOf(secret.slice(0, COMPARED)) : -1
    if (at < 0) {
      text = text.replaceAll(secret, REDACTED)
    } else {
      text = text.slice(0, at) + REDACTED
      isEndSafe = true
    }
  }
  if (!isEndSafe) text = text.slice(0, -COMPARED)
  return isWhole && text.length <= LONGEST_SHOWN ? text : `${cut(text, LONGEST_SHOWN - 1)}…`
}
