/** The beginning of a text, without half of a surrogate pair at the end, which cannot be stored. */
export const cut = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/** Whether the text has neither line breaks nor other control characters. */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text)

const LONGEST_SENTENCE = 300

/** A text of others, such as the answer of a server, on one line and bounded. */
export function oneSentence(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line.length > LONGEST_SENTENCE ? `${cut(line, LONGEST_SENTENCE - 1)}…` : line
}

const LONGEST_NAME = 80

/** A name as it appears in sentences. */
export const shortened = (name: string): string =>
  name.length > LONGEST_NAME ? `${cut(name, LONGEST_NAME - 1)}…` : name

/** A record in a sentence for a person: `"Search" (5)`. */
export const named = (name: string, id: number): string => `"${shortened(name)}" (${id})`

/** Names as a list in a sentence: `a, b and c`. */
export const inList = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ')

/** `1 window`, `2 windows`. */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : pluralOf(noun)}`

/** The plural of "series" is "series". */
export const pluralOf = (noun: string): string => (noun.endsWith('s') ? noun : `${noun}s`)
