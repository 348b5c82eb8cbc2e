import { setImmediate } from 'node:timers/promises'
import { annotate } from './annotate.ts'
import { isInjected, negationIn } from './clauses/safety.ts'
import { sentences } from './clauses/sentences.ts'
import { type ClauseReading, readSentence } from './read-sentence.ts'
import type { Text } from './text.ts'
import type { RecordSlot, Situation, Understanding } from './types.ts'

const LONGEST = 4000
/** The rest of a query with more clauses is unclear, so that the cost is bounded. */
const MOST_CLAUSES = 30

/**
 * What a query asks or requests, by rules alone. Text in quotes, code and messages is never read as a request. A long query leaves the
 * event loop to others between its clauses.
 */
export async function understand(query: string, situation: Situation): Promise<Understanding> {
  const text = annotate(query.slice(0, LONGEST), situation)
  await setImmediate()
  if (isInjected(query, text.tokens)) return { kind: 'none', because: 'not_understood', unclear: [] }
  const readings: ClauseReading[] = []
  let from = 0
  for (const sentence of sentences(text.tokens)) {
    if (sentence.from < from) continue
    if (readings.length >= MOST_CLAUSES) return choose([...readings, unread(text, sentence.from)])
    const read = await readSentence(text, sentence, readings)
    readings.push(...read.readings)
    from = read.next
    if (from < sentence.to) return choose([...readings, unread(text, from)])
  }
  return choose(readings)
}

/** A negation in what is not read takes back any request. */
function unread({ query, tokens }: Text, from: number): ClauseReading {
  const isNegated = negationIn(tokens, { from, to: tokens.length }) !== undefined
  const because = isNegated ? 'negated' : 'not_understood'
  return { text: query.slice(tokens[from]!.start), because, from, rank: 0, verbs: new Set(), idle: false, records: [] }
}

/** The first request or question, unless it is taken back; what else was said is unclear. */
function choose(readings: ClauseReading[]): Understanding {
  const ranked = readings.filter((one) => one.understood).sort((a, b) => b.rank - a.rank)
  const chosen = ranked[0]
  const negation = readings.find((one) => one.because === 'negated')
  const takenBack =
    chosen !== undefined &&
    chosen.verbs.size > 0 &&
    readings.some((one) => (one.because === 'negated' ? contradicts(one, chosen, readings) : denies(one, chosen)))
  if (chosen?.understood && !takenBack) {
    const others = readings.filter((one) => one !== chosen && !one.idle && !isContext(one)).map((one) => one.text)
    const { understood } = chosen
    return { ...understood, unclear: phrasesOf([...understood.unclear, ...others]) }
  }
  const because = takenBack
    ? 'negated'
    : ((negation ?? readings.find((one) => one.because && one.because !== 'not_understood'))?.because ??
      'not_understood')
  return { kind: 'none', because, unclear: phrasesOf(readings.filter((one) => !one.idle).map((one) => one.text)) }
}

const phrasesOf = (texts: string[]) => texts.map((text) => text.trim()).filter(Boolean)

/** A fragment that names the record that the request or question is about. */
const isContext = (one: ClauseReading) => one.rank === 2 && one.records.length > 0

/** "Resolve incident 42, sorry, not 42". */
function denies({ text }: ClauseReading, { understood }: ClauseReading): boolean {
  const denied = /\bnot (?:\p{L}+ )?#?(\d+)$/iu.exec(text)?.[1]
  const meant = Object.values(understood!.slots)
    .flat()
    .flatMap((value) => (isRecord(value) ? [String(value.id)] : []))
  return denied !== undefined && meant.includes(denied)
}

const isRecord = (value: unknown): value is RecordSlot => typeof value === 'object' && value !== null && 'id' in value

/** "Resolve it. No, do not": a negation behind a request, of the same verb or of none. */
function contradicts(negated: ClauseReading, chosen: ClauseReading, all: ClauseReading[]): boolean {
  const isBehind = all.indexOf(negated) > all.indexOf(chosen)
  return negated.verbs.size === 0 ? isBehind : [...negated.verbs].some((verb) => chosen.verbs.has(verb))
}
