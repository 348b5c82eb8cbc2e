import { isNamed, type Text } from '../text.ts'
import type { IntentName } from '../types.ts'
import type { Span } from './sentences.ts'

const excluding = /^(except|excepting|excluding|exclude|besides)$/
const sweeping = /^(all|every|everything|everyone|each|any|anything|both)$/
const quietly = /^(silently|quietly|discreetly|unannounced)$/
const notifying =
  /^(notify|notifying|notifies|notification|notifications|mail|mails|mailing|email|emails|emailing|alerting|announcing|telling|informing|subscribers)$/
const negating = /^(not|without|no|never)$/
const repeating = /^(weekly|biweekly|monthly|yearly|annually|recurring|repeating|repeated|repeatedly)$/
const period =
  /^(day|days|night|week|weeks|month|months|year|weekday|weekend|(mon|tues|wednes|thurs|fri|satur|sun)days?|\d+)$/
const zone = /^[A-Za-z_]+\/[A-Za-z_]+(?:\/[A-Za-z_]+)?$/

/**
 * A part of a request that narrows it, or changes how it is done, and that no intent can take: "all except 41", "without a mail",
 * "every Tuesday", "at 22:00 Europe/Berlin", "occurrence 2". A plan without this part would do something else than the message asks for.
 */
export function hasLimit(text: Text, { from, to }: Span, intent: IntentName, isText: (at: number) => boolean): boolean {
  const { tokens } = text
  const wordAt: WordAt = (at) => (at >= from && at < to && !isText(at) ? (tokens[at]?.word ?? '') : '')
  for (let at = from; at < to; at++) {
    if (wordAt(at) === '' || isNamed(text.mentions, at)) continue
    if (limits(wordAt, at) || limitsIntent[intent]?.(wordAt, at)) return true
  }
  return intent.startsWith('maintenance') && namesZone(text, { from, to }, isText)
}

type WordAt = (at: number) => string

const isNear = (wordAt: WordAt, pattern: RegExp, at: number, reach: number) =>
  Array.from({ length: reach }, (_one, back) => wordAt(at - 1 - back)).some((word) => pattern.test(word))

function limits(wordAt: WordAt, at: number): boolean {
  const word = wordAt(at)
  if (excluding.test(word) || quietly.test(word)) return true
  if (word === 'apart') return wordAt(at + 1) === 'from'
  if (word === 'but') return isNear(wordAt, sweeping, at, 4)
  return notifying.test(word) && isNear(wordAt, negating, at, 3)
}

const limitsIntent: Partial<Record<IntentName, (wordAt: WordAt, at: number) => boolean>> = {
  maintenance_schedule: (wordAt, at) => repeats(wordAt(at), wordAt(at + 1)),
  incident_open: (wordAt, at) => wordAt(at) === 'everything',
  occurrence_skip: (wordAt, at) => /^occurrences?$/.test(wordAt(at)) && /^\d+$/.test(wordAt(at + 1)),
}

const repeats = (word: string, next: string) =>
  repeating.test(word) || word === 'daily' || (/^(every|each)$/.test(word) && period.test(next))

/** Times are read in the zone of the page, or in a zone of letters such as CET. */
function namesZone({ query, tokens }: Text, { from, to }: Span, isText: (at: number) => boolean): boolean {
  const words = tokens.slice(from, to).filter((token, index) => token.kind === 'word' && !isText(from + index))
  return words.some(({ start }) => {
    const [written = ''] = /^[\w/]+/.exec(query.slice(start)) ?? []
    return zone.test(written) && isZone(written)
  })
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
