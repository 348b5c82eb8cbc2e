import { plain, type Token } from '../lexing/lexer.ts'

export interface StageMention {
  name: string
  from: number
  to: number
}

const introducing = /^(to|as|in|into|stage|status)$/

/** The lifecycle stages that a sentence sets: `to monitoring`, `in the stage Identified`. */
export function stagesIn(tokens: Token[], stages: string[]): StageMention[] {
  const names = stages.map((name) => ({
    name,
    words: plain(name)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  }))
  return names.flatMap(({ name, words }) => {
    const isHere = (at: number) => words.every((word, index) => tokens[at + index]?.word === word)
    const isIntroduced = (at: number) => introducing.test(tokens[at - 1]?.word ?? '') || tokens[at]!.text === name
    const from = tokens.findIndex((_token, at) => words.length > 0 && isHere(at) && isIntroduced(at))
    return from < 0 ? [] : [{ name, from, to: from + words.length }]
  })
}
