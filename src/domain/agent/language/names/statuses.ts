import { plain, type Token } from '../lexing/lexer.ts'
import type { Situation } from '../types.ts'
import { distance } from '../words/distance.ts'

export interface StatusMention {
  key: string
  from: number
  to: number
  /** By another word for the status type. */
  loose: boolean
}

/** Other words for the status types that each page has unless it renames them. */
const synonyms: Record<string, string[]> = {
  operational: ['up', 'ok', 'okay', 'green', 'healthy', 'normal', 'fine', 'working'],
  degraded: ['slow', 'degradation', 'yellow'],
  partial_outage: ['partially down', 'partly down'],
  major_outage: ['full outage', 'complete outage', 'total outage'],
  maintenance: [],
}
/** These words alone are a kind of record and no status. */
const ambiguous = new Set(['maintenance', 'outage', 'under', 'performance'])

/** The status types that a sentence names: by a name or key, the longest first, or by a word that only one name has. */
export function statusesIn(tokens: Token[], types: Situation['statusTypes']): StatusMention[] {
  const names = types
    .flatMap(({ key, name }) => [
      ...[name, key].map((text) => nameOf(key, text, false)),
      ...(synonyms[key] ?? []).map((text) => nameOf(key, text, true)),
    ])
    .sort((a, b) => b.words.length - a.words.length)
  const single = singleWords(types)
  const found: StatusMention[] = []
  for (let at = 0; at < tokens.length; at++) {
    const name = names.find(
      ({ words, loose }) => words.length > 0 && words.every((word, index) => isSame(tokens[at + index], word, loose)),
    )
    const key = name?.key ?? single.get(tokens[at]!.kind === 'word' ? tokens[at]!.word : '')
    if (!key || (name?.words[0] === 'maintenance' && !/^(under|in|into|to|as)$/.test(tokens[at - 1]?.word ?? '')))
      continue
    const to = at + (name?.words.length ?? 1)
    found.push({ key, from: at, to, loose: name?.loose ?? false })
    at = to - 1
  }
  return found
}

const nameOf = (key: string, text: string, loose: boolean) => {
  const words = splitWords(text)
  return { key, words, loose: loose || (words.length === 1 && ambiguous.has(words[0]!)) }
}

/** The words that only one status type has. */
function singleWords(types: Situation['statusTypes']): Map<string, string> {
  const keys = new Map<string, Set<string>>()
  for (const { key, name } of types) {
    for (const word of [...splitWords(name), ...splitWords(key)]) keys.set(word, (keys.get(word) ?? new Set()).add(key))
  }
  return new Map(
    [...keys].flatMap(([word, owners]) => (owners.size === 1 && !ambiguous.has(word) ? [[word, [...owners][0]!]] : [])),
  )
}

const splitWords = (text: string) =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const isSame = (token: Token | undefined, word: string, exactly: boolean) =>
  token?.kind === 'word' &&
  (token.word === word || (!exactly && word.length >= 6 && distance(token.word, word, 1) <= 1))
