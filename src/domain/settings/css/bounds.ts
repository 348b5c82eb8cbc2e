import { cssTree } from './css-tree.ts'

export const LONGEST_CSS = 100_000
const DEEPEST = 16
const MOST_BLOCKS = 5000

interface Place {
  line: number
  column: number
}

export interface CssProblem extends Place {
  message: string
}

/** Why CSS is too large or nested too deeply to be parsed in a short time, by its tokens alone. */
export function boundsProblem(css: string): CssProblem | undefined {
  if (css.length > LONGEST_CSS) return { ...start, message: `must have at most ${LONGEST_CSS} characters` }
  const { tokenize, tokenTypes } = cssTree()
  const { LeftCurlyBracket, LeftParenthesis, LeftSquareBracket, Function: call } = tokenTypes
  const opening = new Set<number>([LeftCurlyBracket, LeftParenthesis, LeftSquareBracket, call])
  const closing = new Set<number>([
    ...[tokenTypes.RightCurlyBracket, tokenTypes.RightParenthesis, tokenTypes.RightSquareBracket],
  ])
  let depth = 0
  let blocks = 0
  let deep: number | undefined
  tokenize(css, (type, from) => {
    if (opening.has(type)) depth += 1
    if (closing.has(type)) depth = Math.max(0, depth - 1)
    if (type === LeftCurlyBracket) blocks += 1
    if (depth > DEEPEST) deep ??= from
  })
  if (deep !== undefined) return { ...placeOf(css, deep), message: `must not nest more than ${DEEPEST} brackets` }
  if (blocks > MOST_BLOCKS) return { ...start, message: `must have at most ${MOST_BLOCKS} rules` }
  return undefined
}

const start: Place = { line: 1, column: 1 }

function placeOf(css: string, offset: number): Place {
  const lines = css.slice(0, offset).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}
