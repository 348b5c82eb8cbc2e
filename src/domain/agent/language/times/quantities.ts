import type { Token } from '../lexing/lexer.ts'

/** What was read, and the position behind it. */
export type Read<T> = { value: T; next: number } | undefined

const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const values = new Map(words.map((word, value) => [word, value]))
for (const [word, value] of Object.entries({
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fourty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
})) {
  values.set(word, value)
}
values
  .set('fourteen', 14)
  .set('eighteen', 18)
  .set('twentyfour', 24)
  .set('twenty-four', 24)
  .set('forty-five', 45)
  .set('forty-eight', 48)

const minutesOf = new Map<string, number>()
const units: [number, string][] = [
  [1, 'm min mins minute minutes minuts minute'],
  [60, 'h hr hrs hour hours'],
  [1440, 'd day days'],
  [10080, 'w wk wks week weeks'],
]
for (const [minutes, names] of units) for (const name of names.split(' ')) minutesOf.set(name, minutes)

/** The minutes of a unit. */
export const unitAt = (token: Token | undefined): number | undefined => minutesOf.get(token?.word ?? '')

/** A whole number in digits or words. */
export const numberOf = (token: Token | undefined): number | undefined =>
  token && /^\d{1,6}$/.test(token.word) ? Number(token.word) : values.get(token?.word ?? '')

/** `2`, `two`, `1.5`, `an`, `half an`, `two and a half`; how many there are of a unit. */
export function readQuantity(tokens: Token[], at: number): Read<number> {
  const word = tokens[at]?.word ?? ''
  if (word === 'half') {
    return isArticle(tokens[at + 1]) ? { value: 0.5, next: at + 2 } : { value: 0.5, next: at + 1 }
  }
  if (/^\d{1,4}[.,]\d$|^\d{1,4}[.,][257]5$/.test(word)) return { value: Number(word.replace(',', '.')), next: at + 1 }
  const count = isArticle(tokens[at]) ? 1 : numberOf(tokens[at])
  if (count === undefined) return undefined
  if (count === 1 && isArticle(tokens[at]) && tokens[at + 1]?.word === 'half') return { value: 0.5, next: at + 2 }
  const half = ['and', 'a', 'half'].every((part, index) => tokens[at + 1 + index]?.word === part)
  return half ? { value: count + 0.5, next: at + 4 } : { value: count, next: at + 1 }
}

export const isArticle = (token: Token | undefined) => token?.word === 'a' || token?.word === 'an'
