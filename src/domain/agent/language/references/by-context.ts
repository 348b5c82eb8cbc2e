import type { Mention } from '../names/mentions.ts'
import { isUnknownWord, positionsOf, writtenWords } from '../text.ts'
import { fillers, functionWords } from '../words/function-words.ts'
import { sizeOf } from './by-name.ts'
import { foundOf, inStates, unknownRecord } from './found.ts'
import { isDefiniteAt, isIndefiniteAt, isSingularAt, type Reference, type Search } from './search.ts'

/** An incident or maintenance by the item that it affects: `the maintenance on Payments API`. */
export function byItem(search: Search): Reference | undefined {
  const { text, clause, kinds, request, nouns } = search
  const kind = kinds[0]!
  if (kind !== 'incident' && kind !== 'maintenance') return undefined
  const noun = nouns.find((at) => isSingularAt(search, at) && !isIndefiniteAt(search, at))
  if (noun === undefined && (!request || nouns.length > 0)) return undefined
  const items = clause.mentions.filter(({ name, full, score }) => name.kind === 'item' && (full || score >= 0.4))
  const item = items.sort((a, b) => sizeOf(b) - sizeOf(a))[0]
  if (!item || (noun === undefined && !isAlone(search, item))) return undefined
  if (noun !== undefined && !request && item.to !== noun && !isDefiniteAt(search, noun)) return undefined
  const all = text.index.of(kind).filter((record) => record.items?.includes(item.name.record.id))
  const records = inStates(all, search.states ?? (kind === 'incident' ? ['open'] : ['scheduled', 'in_progress']))
  const words = writtenWords(text, item)
  const used = [...positionsOf(item), ...(noun === undefined ? [] : [noun])]
  if (records.length > 0) {
    return {
      found: foundOf(
        words,
        records.map((record) => ({ kind, record })),
      ),
      used,
      strength: noun === undefined ? 1.1 : 2.9,
    }
  }
  return noun === undefined ? undefined : { found: unknownRecord(kind, words), used, strength: 2.2 }
}

/** "Resolve checkout": without a noun the item is all that the verb has. */
function isAlone({ text: { tokens, readings }, clause }: Search, { from, to }: Mention): boolean {
  const others = clause.words.filter((at) => at !== clause.head && (at < from || at >= to))
  const isEmpty = (at: number) =>
    tokens[at]!.kind === 'mark' ||
    fillers.has(tokens[at]!.word) ||
    (functionWords.has(tokens[at]!.word) && readings[at]!.length === 0)
  return others.every(isEmpty)
}

const states = new Map([
  ...['running', 'ongoing', 'current', 'active', 'started'].map((word) => [word, 'in_progress'] as const),
  ...['scheduled', 'planned', 'upcoming', 'pending'].map((word) => [word, 'scheduled'] as const),
])
const openWords = /^(open|active|ongoing|current|running|unresolved|pending|waiting)$/

/** `the running maintenance`, `all incidents`, `the pending review`. */
export function byState({ text, clause, kinds, request, nouns, states: usual }: Search): Reference | undefined {
  const [kind, noun] = [kinds[0]!, nouns[0]]
  if (noun === undefined || !request) return undefined
  const before = [1, 2, 3].map((back) => text.tokens[noun - back]?.word ?? '')
  const isAll = before.some((word) => /^(all|every|both|each)$/.test(word))
  const state = kind === 'maintenance' ? before.map((word) => states.get(word)).find(Boolean) : undefined
  const isOpen = kind !== 'maintenance' && before.some((word) => openWords.test(word))
  if (!isAll && !state && !isOpen) return undefined
  const records = state
    ? text.index.of(kind).filter((one) => one.state === state)
    : inStates(text.index.of(kind), usual)
  const used = [noun, noun - 1, noun - 2].filter((at) => at >= clause.span.from && at !== clause.head)
  if (records.length === 0) return { found: undefined, used, strength: 2 }
  const words = writtenWords(text, { from: Math.max(clause.span.from, noun - 1), to: noun + 1 })
  return {
    found: foundOf(
      words,
      records.map((record) => ({ kind, record })),
    ),
    used,
    strength: 2.5,
  }
}

const pronouns = new Set(['it', 'this', 'that', 'its', 'them', 'one', 'same'])

/** `it`, `that incident`, `the incident`: what the query or the thread was about. */
export function byMemory(search: Search): Reference | undefined {
  const { text, clause, kinds, request, nouns } = search
  const noun = nouns.find((at) => !text.readings[at]!.every(({ form }) => form === 'plural'))
  const pronoun = clause.words.find((at) => pronouns.has(text.tokens[at]!.word) && !nouns.includes(at + 1))
  const isDefinite = noun !== undefined && (isDefiniteAt(search, noun) || isDefiniteAt(search, noun - 1))
  const isNamed = noun !== undefined && (isDefinite || (request && !isIndefiniteAt(search, noun)))
  const isAlone = request && noun === undefined && clause.words.length <= 2
  const used = [noun, noun !== undefined && isDefiniteAt(search, noun) ? noun - 1 : undefined, pronoun].filter(
    (at) => at !== undefined,
  )
  const record = clause.context.find(({ kind }) => kinds.includes(kind))
  if (record && (isNamed || pronoun !== undefined || isAlone)) {
    const isNearest = clause.context[0]?.kind === record.kind
    return { found: record, used, strength: noun !== undefined ? 2.5 : isNearest ? 2.3 : 1.9 }
  }
  if (!request) return undefined
  if (isNamed) return { found: undefined, used, strength: 1.5 }
  return pronoun !== undefined && clause.context.length === 0 ? { found: undefined, used, strength: 0.5 } : undefined
}

/** "Incident foobar", "the incident about bananas": a word behind the noun of a request that names nothing known is a name. */
export function byUnknownName({ text, clause, kinds, request, nouns }: Search): Reference | undefined {
  const noun = nouns.find((at) => !text.readings[at]!.every(({ form }) => form === 'plural'))
  if (!request || noun === undefined) return undefined
  const joins = /^(about|named|called)$/.test(text.tokens[noun + 1]?.word ?? '')
  const at = joins ? noun + 2 : noun + 1
  const isFree = clause.words.includes(at) && !clause.times.has(at) && text.tokens[at]!.kind === 'word'
  if (!isFree || !isUnknownWord(text, at)) return undefined
  const used = [noun, ...(joins ? [noun + 1] : []), at]
  return { found: unknownRecord(kinds[0]!, text.tokens[at]!.text), used, strength: 2.5 }
}
