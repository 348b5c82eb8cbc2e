/** How well a text names a record, from 0 to 1. */
export function likeness(text: string, names: string[], id: number): number {
  const asked = wordsOf(text)
  if (asked.length === 0) return 0
  if (asked.length === 1 && asked[0] === String(id)) return 1
  return Math.max(0, ...names.map((name) => likenessOf(asked, wordsOf(name))))
}

/** The least likeness of a record that a search shows. */
export const LEAST_LIKENESS = 0.5

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
  const shared = sharedPairs(asked, word)
  return shared >= 0.5 ? 0.85 * shared : 0
}

/** The share of pairs of neighbouring letters that two words have in common. */
function sharedPairs(one: string, other: string): number {
  const [first, second] = [pairsOf(one), pairsOf(other)]
  if (first.length === 0 || second.length === 0) return 0
  const left = [...second]
  const shared = first.filter((pair) => {
    const at = left.indexOf(pair)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
  return (2 * shared.length) / (first.length + second.length)
}

const pairsOf = (word: string): string[] =>
  Array.from({ length: Math.max(0, word.length - 1) }, (_, index) => word.slice(index, index + 2))

/** Lower case without accents; the words of at most 60 letters that a name can have are few. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, 30).map((word) => word.slice(0, 60))
}
