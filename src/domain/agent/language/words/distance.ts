/**
 * The number of typing errors between two words, at most `limit`; more is `limit + 1`. Two neighbours in the wrong order
 * are one error.
 */
export function distance(a: string, b: string, limit: number): number {
  if (a === b) return 0
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let [before, previous] = [[] as number[], Array.from({ length: b.length + 1 }, (_one, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let value = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + cost)
      if (cost && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, before[j - 2]! + 1)
      row.push(value)
      least = Math.min(least, value)
    }
    if (least > limit) return limit + 1
    ;[before, previous] = [previous, row]
  }
  return Math.min(previous[b.length]!, limit + 1)
}

/** How many errors a word of a length may have. */
const allowedErrors = (length: number): number => (length < 5 ? 0 : length < 9 ? 1 : 2)

/** Words by their first letter, to find the nearest one. */
export class WordList {
  private readonly byStart = new Map<string, string[]>()

  constructor(words: Iterable<string>) {
    for (const word of words) {
      const key = word[0] ?? ''
      const list = this.byStart.get(key)
      if (list) list.push(word)
      else this.byStart.set(key, [word])
    }
  }

  /** The nearest word, if its errors are few. The first two letters may be in the wrong order, other errors are behind the first. */
  nearest(word: string): string | undefined {
    const limit = Math.max(1, allowedErrors(word.length))
    if (word.length < 4) return undefined
    let [best, least] = [undefined as string | undefined, limit + 1]
    for (const key of new Set([word[0]!, word[1]!])) {
      for (const candidate of this.byStart.get(key) ?? []) {
        if (Math.abs(candidate.length - word.length) >= least || !sharesStart(candidate, word)) continue
        const errors = distance(word, candidate, least - 1)
        if (errors < least && isTypo(word, candidate, errors)) [best, least] = [candidate, errors]
      }
    }
    return best
  }
}

const sharesStart = (a: string, b: string) => a[0] === b[0] || (a[0] === b[1] && a[1] === b[0])

/** In words of four letters only two letters in the wrong order are a typing error. */
const isTypo = (a: string, b: string, errors: number) =>
  errors <= allowedErrors(Math.min(a.length, b.length)) ||
  (errors === 1 && a.length === b.length && [...a].sort().join('') === [...b].sort().join(''))

/** Remembers answers, and compares at most `budget` distinct words, so that the cost of a query is bounded. */
export function speller(list: WordList, budget: number): (word: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  return (word) => {
    if (!known.has(word) && known.size < budget) known.set(word, list.nearest(word))
    return known.get(word)
  }
}
