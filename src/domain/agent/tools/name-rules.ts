/** How well a text names a record, from 0 to 1. */
export function likeness(text: string, names: string[], id: number): number {
  const asked = namingWords(text)
  if (asked.length === 0) return 0
  if (asked.length === 1 && asked[0] === String(id)) return 1
  return Math.max(0, ...names.map((name) => likenessOf(asked, wordsOf(name))))
}

/** The least likeness of a record that a search shows. */
export const LEAST_LIKENESS = 0.5

/** Bounds the time of a search through thousands of names. */
const MOST_WORDS = { asked: 8, name: 30 }
const LONGEST_WORD = 60
const fillers = new Set(['a', 'an', 'and', 'at', 'for', 'from', 'in', 'is', 'of', 'on', 'our', 'the', 'to', 'with'])

function likenessOf(asked: string[], name: string[]): number {
  if (name.length === 0) return 0
  const whole = asked.join('') === name.join('') ? 1 : 0
  const best = asked.map((word) => Math.max(...name.map((other) => likenessOfWords(word, other))))
  const found = best.reduce((sum, one) => sum + one, 0) / asked.length
  // Of two names that hold all words, the shorter one is closer.
  const share = Math.min(1, asked.length / name.length)
  return Math.max(whole, found * (0.9 + 0.09 * share))
}

function likenessOfWords(asked: string, word: string): number {
  if (asked === word) return 1
  const shorter = Math.min(asked.length, word.length)
  if (shorter >= 3 && (word.startsWith(asked) || asked.startsWith(word))) return 0.9
  if (asked.length >= 3 && word.includes(asked)) return 0.75
  if (shorter < 4 || Math.abs(asked.length - word.length) > 2) return 0
  // Typing errors keep most pairs of letters, or all letters in another order.
  const pairs = commonShare(pairsOf(asked), pairsOf(word))
  const letters = asked[0] === word[0] ? commonShare([...asked], [...word]) - 0.1 : 0
  const share = Math.max(pairs, letters)
  return share >= 0.6 ? 0.85 * share : 0
}

/** The share of parts that two words have in common. */
function commonShare(first: string[], second: string[]): number {
  const counts = new Map<string, number>()
  for (const part of second) counts.set(part, (counts.get(part) ?? 0) + 1)
  let common = 0
  for (const part of first) {
    const left = counts.get(part) ?? 0
    if (left > 0) common += 1
    counts.set(part, left - 1)
  }
  return (2 * common) / (first.length + second.length)
}

const pairsOf = (word: string): string[] =>
  Array.from({ length: word.length - 1 }, (_, index) => word.slice(index, index + 2))

/** The words of a question that name something; all words, if all are fillers. */
function namingWords(text: string): string[] {
  const words = wordsOf(text)
  const naming = words.filter((word) => !fillers.has(word))
  return (naming.length > 0 ? naming : words).slice(0, MOST_WORDS.asked)
}

/** In lower case and without accents. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MOST_WORDS.name).map((word) => word.slice(0, LONGEST_WORD))
}
