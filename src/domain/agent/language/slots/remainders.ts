import { type Clause, isUnknownWord, type Text } from '../text.ts'
import { fillers, functionWords } from '../words/function-words.ts'

/** Words in a row that have no meaning for the intent. */
export interface Remainder {
  from: number
  to: number
  text: string
  /** The word before them. */
  before: string
}

/** In a question words of the vocabulary may remain; in a request a verb that remains is a second request. */
export function remaindersOf(text: Text, clause: Clause, used: ReadonlySet<number>, request: boolean): Remainder[] {
  const found: Remainder[] = []
  const free = clause.words
  let run: number[] = []
  for (const at of [...free, -1]) {
    const inRow = run.length > 0 && at === run.at(-1)! + 1
    const joins = at >= 0 && !used.has(at) && (run.length === 0 || inRow) && text.tokens[at]!.kind !== 'mark'
    if (joins) {
      run.push(at)
      continue
    }
    const remainder = trimmed(text, run, request)
    if (remainder) found.push(remainder)
    run = at >= 0 && !used.has(at) && text.tokens[at]!.kind !== 'mark' ? [at] : []
  }
  return found
}

function trimmed(text: Text, run: number[], request: boolean): Remainder | undefined {
  const content = run.filter((at) => isContent(text, at, request))
  if (content.length === 0) return undefined
  let [from, to] = [content[0]!, content.at(-1)! + 1]
  // A verb that remains has its objects with it.
  if (text.readings[from]!.some(({ verb }) => verb)) to = run.at(-1)! + 1
  while (to > from + 1 && functionWords.has(text.tokens[to - 1]!.word)) to--
  const [first, last] = [text.tokens[from]!, text.tokens[to - 1]!]
  let before = from - 1
  while (before > run[0]! - 2 && before >= 0 && /^(the|a|an|our|my)$/.test(text.tokens[before]!.word)) before--
  return { from, to, text: text.query.slice(first.start, last.end), before: text.tokens[before]?.word ?? '' }
}

function isContent(text: Text, at: number, request: boolean): boolean {
  const { kind, word } = text.tokens[at]!
  if (kind !== 'word') return kind !== 'mark'
  if (isUnknownWord(text, at)) return true
  const readings = text.readings[at]!
  const isVerb =
    readings.length > 0 && readings.every(({ verb }) => verb) && readings.some(({ form }) => form === 'base')
  return request && isVerb && !fillers.has(word) && !functionWords.has(word)
}
