import type { Token } from '../lexing/lexer.ts'

/** Tokens from one to before another. */
export interface Span {
  from: number
  to: number
}

export interface Sentence extends Span {
  /** It ends with a question mark. */
  asked: boolean
}

export function sentences(tokens: Token[]): Sentence[] {
  const found: Sentence[] = []
  let from = 0
  for (let at = 0; at <= tokens.length; at++) {
    const word = at < tokens.length && tokens[at]!.kind === 'mark' ? tokens[at]!.word : at === tokens.length ? '.' : ''
    if (!/^[.?!;\n]$/.test(word)) continue
    if (at > from) found.push({ from, to: at, asked: word === '?' })
    else if (word === '?' && found.length > 0) found.at(-1)!.asked = true
    from = at + 1
  }
  return found
}
