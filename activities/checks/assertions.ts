import type { Assertion } from '../../src/domain/beats/types/assertion.ts'
import type { HttpTarget } from '../../src/domain/beats/types/http.ts'
import type { ConditionOutcome, Document } from '../../src/domain/evaluation/jobs.ts'
import { LONGEST_QUOTE, quote } from '../../src/domain/evaluation/quote.ts'
import type { Operator } from '../../src/domain/evaluation/schema.ts'
import { cut } from '../../src/domain/kernel/text-rules.ts'
import { CheckImpossible } from '../../src/outbound/connections/failure.ts'
import { isSecretPath, REDACTED } from '../../src/outbound/secret-rules.ts'
import { charsetOf, unpackedBody } from './body.ts'
import type { CheckAttempt } from './check-attempt.ts'
import type { Answer } from './exchange.ts'
import { secretsIn } from './secrets.ts'

/** The first assertion that does not hold, as evidence; null when all assertions hold. */
export async function brokenAssertion(
  target: HttpTarget,
  answer: Answer,
  attempt: CheckAttempt,
): Promise<string | null> {
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

/** All assertions of a check share one budget of CPU time, so the assertion at which the evaluation ended may be cheap. */
const tooExpensive = ({ operator, path }: Assertion) =>
  `The assertions need too much CPU time for this answer: the evaluation stopped at ${operator} on ${path ?? 'the body'}`

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
  if (operator === 'exists') return `${place} ${value === false ? 'exists, expected none' : 'is missing'}`
  // Evidence contains neither the found nor the expected value of a secret.
  const secret = isSecretPath(path)
  const expected = `expected it ${wanted[operator]} ${secret ? 'another value' : shown(quote(value), secrets)}`
  if (found === null) return `${place} is missing, ${expected}`
  if (source === 'body') return `${place} does not match: ${expected}`
  return `${place} ${secret ? 'does not match' : `is ${shown(found, secrets)}`}, ${expected}`
}

const LONGEST_SHOWN = 80
/** A secret is recognized by its first characters, at most this many. */
const COMPARED = 100

/**
 * A quote without secrets. Secrets are replaced before the quote is cut, because a cut could leave half of a secret. The
 * text after the start of a long secret is removed, and so is the end of a quote in which a secret could have been cut off.
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
