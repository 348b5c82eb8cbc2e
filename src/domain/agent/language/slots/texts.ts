import type { TextSlot } from '../intents/intent.ts'
import type { Token } from '../lexing/lexer.ts'
import type { Mention } from '../names/mentions.ts'
import type { Chunk } from '../times/chunks.ts'

/** A text of a request, and the tokens that it takes, labels included. `free` has no label. */
export interface TextPart {
  slot: TextSlot | 'free'
  text: string
  from: number
  to: number
  quoted?: boolean
}

export interface TextScope {
  query: string
  tokens: Token[]
  chunks: Chunk[]
  mentions: Mention[]
  /** The verb of the request, and the end of its sentence. */
  head: number
  to: number
  isName: (at: number) => boolean
  startsClause: (at: number) => boolean
}

const labels: Record<string, TextSlot> = {
  ...{
    message: 'message',
    note: 'message',
    comment: 'message',
    text: 'message',
    description: 'message',
    body: 'message',
  },
  ...{ title: 'title', name: 'title', headline: 'title', subject: 'title', reason: 'reason' },
}
const titled = new Set(['titled', 'called', 'named', 'entitled'])
const sayings = new Set(['saying', 'stating', 'says', 'reads', 'reading', 'states'])
const introducing = new Set(['with', 'and', 'using', 'including', 'as'])
const beginsStatement = new Set(
  'we it everything they there our customers users all some things most traffic'.split(' '),
)
const beginsNoun = new Set(['the', 'a', 'an', 'this'])
const finite = /^(is|are|was|were|has|have|had|will|been|works?|looks?|seems?|fixed|found)$/

/** The texts of a request: after labels, in quotes, after a colon, or a statement after a comma. */
export function readTexts(scope: TextScope): TextPart[] {
  const parts: TextPart[] = []
  let { to } = scope
  for (let at = scope.head + 1; at < to; ) {
    if (scope.startsClause(at) && isMark(scope.tokens[at - 1]) && !labelAt(scope.tokens, at)) break
    const part = readPart(scope, at, parts)
    if (part) parts.push(part)
    at = part ? part.to : at + 1
    to = Math.max(to, part?.to ?? 0)
  }
  return parts
}

const isMark = (token: Token | undefined) => token?.kind === 'mark' && token.word !== ':'

function readPart(scope: TextScope, at: number, before: TextPart[]): TextPart | undefined {
  const token = scope.tokens[at]!
  if (isInTime(scope, at)) return undefined
  const labelled = readLabel(scope, at)
  if (labelled) return labelled
  if (token.kind === 'quote') {
    const isTaken = scope.isName(at) || before.some((one) => one.to > at)
    return isTaken ? undefined : { slot: 'free', text: token.text, from: at, to: at + 1, quoted: true }
  }
  return token.kind === 'mark' && at + 1 < scope.tokens.length ? readBehindMark(scope, at) : undefined
}

/** A text behind a colon or a dash, or a statement behind a comma. */
function readBehindMark(scope: TextScope, at: number): TextPart | undefined {
  const { tokens } = scope
  const { word } = tokens[at]!
  const next = tokens[at + 1]!
  if (labelAt(tokens, at + 1)) return undefined
  if (word === ':' && next.kind === 'quote')
    return { slot: 'free', text: next.text, from: at, to: at + 2, quoted: true }
  const isText =
    word === ':' ||
    (word === '-' && isSpaced(scope, at) && next.kind === 'word' && !scope.startsClause(at + 1)) ||
    (word === ',' && isStatement(tokens, at + 1, scope.to) && !scope.startsClause(at + 1))
  return isText ? toEndOfQuery(scope, 'free', at, at + 1) : undefined
}

function readLabel(scope: TextScope, at: number): TextPart | undefined {
  const { tokens } = scope
  const { word } = tokens[at]!
  const next = tokens[at + 1]?.word
  if (titled.has(word)) return readValue(scope, 'title', at, at + 1)
  if (sayings.has(word)) {
    return readValue(scope, 'message', tokens[at - 1]?.word === 'that' ? at - 1 : at, next === 'that' ? at + 2 : at + 1)
  }
  if (word === 'because') return readValue(scope, 'reason', at, next === 'of' ? at + 2 : at + 1)
  if (word === 'due' && next === 'to') return readValue(scope, 'reason', at, at + 2)
  if (word === 'that' && informs(tokens, at, scope.head)) return toEndOfQuery(scope, 'message', at, at + 1)
  const label = labelAt(tokens, at)
  const value = label && valueBehind(tokens, at, label.next)
  return value === undefined ? undefined : readValue(scope, label!.slot, at, value)
}

/** Where the text of a label begins; "add a note to incident 41" has no text. */
function valueBehind(tokens: Token[], at: number, next: number): number | undefined {
  const isIntroduced = introducing.has(tokens[at]!.word)
  let value = /^(:|-|is|=)$/.test(tokens[next]?.word ?? '') ? next + 1 : next
  if (tokens[value]?.word === 'that' && isIntroduced) value++
  if (sayings.has(tokens[value]?.word ?? '')) value++
  return value > next || isIntroduced || tokens[value]?.kind === 'quote' ? value : undefined
}

/** `let customers know that`, `tell users that`, and `update incident 41 that`. */
function informs(tokens: Token[], at: number, head: number): boolean {
  return tokens
    .slice(Math.max(head, at - 6), at)
    .some(({ word }) =>
      /^(tell|inform|notify|know|say|note|noting|update|announcing|mention|mentioning|add|write|post|publish|comment|announce)$/.test(
        word,
      ),
    )
}

/** `with the message`, `title`. */
function labelAt(tokens: Token[], at: number): { slot: TextSlot; next: number } | undefined {
  let next = at
  if (introducing.has(tokens[next]?.word ?? '')) next++
  if (/^(the|a|this|my|following|as|this|its)$/.test(tokens[next]?.word ?? '')) next++
  if (/^(following|public|short|update)$/.test(tokens[next]?.word ?? '')) next++
  const word = tokens[next]?.word ?? ''
  return Object.hasOwn(labels, word) ? { slot: labels[word]!, next: next + 1 } : undefined
}

/** A quote; or words: a title up to a time, comma, label or affected item, a reason up to the end of the sentence, a message to the end. */
function readValue(scope: TextScope, slot: TextSlot, from: number, start: number): TextPart | undefined {
  const { tokens } = scope
  let at = start
  if (tokens[at]?.word === ':') at++
  const first = tokens[at]
  if (!first) return undefined
  if (first.kind === 'quote') return { slot, text: first.text, from, to: at + 1 }
  if (slot === 'message') return toEndOfQuery(scope, slot, from, at)
  let to = at
  while (to < scope.to && !endsText(scope, slot, to, at)) to++
  return textOf(scope, slot, from, at, to)
}

function endsText(scope: TextScope, slot: TextSlot, at: number, start: number): boolean {
  const { tokens } = scope
  const { kind, word } = tokens[at]!
  if (at === start) return false
  if ((kind === 'mark' && (word === ',' || word === '-')) || labelAt(tokens, at)) return true
  if (slot === 'reason') return word === 'until' || (word === 'for' && isInTime(scope, at + 1))
  if (titled.has(word) || sayings.has(word) || scope.chunks.some(({ from }) => from === at)) return true
  if (
    /^(with|status)$/.test(word) ||
    (word === 'and' && /^(with|the|status|message|affecting)$/.test(tokens[at + 1]?.word ?? ''))
  )
    return true
  return (
    /^(on|for|affecting|of|at)$/.test(word) &&
    scope.mentions.some(({ from, full, name }) => full && name.kind === 'item' && from >= at + 1 && from <= at + 2)
  )
}

function toEndOfQuery(scope: TextScope, slot: TextPart['slot'], from: number, at: number): TextPart | undefined {
  return textOf(scope, slot, from, at, scope.tokens.length)
}

function textOf(
  { query, tokens }: TextScope,
  slot: TextPart['slot'],
  from: number,
  start: number,
  to: number,
): TextPart | undefined {
  if (start >= to) return undefined
  const last = to === tokens.length ? query.length : tokens[to - 1]!.end
  const text = query
    .slice(tokens[start]!.start, last)
    .trim()
    .replace(/[\s.]*(?:,\s*)?(?:please|thanks|thank you|thx|pls|plz)[.!]*$/i, '')
    .trim()
  const unquoted = tokens[to - 1]!.kind === 'quote' && to - start === 1 ? tokens[start]!.text : text
  return unquoted ? { slot, text: unquoted, from, to } : undefined
}

const isInTime = ({ chunks }: TextScope, at: number) => chunks.some(({ from, to }) => at >= from && at < to)

const isSpaced = ({ query, tokens }: TextScope, at: number) =>
  /\s/.test(query[tokens[at]!.start - 1] ?? '') && /\s/.test(query[tokens[at]!.end] ?? '')

/** `we found it`, `the fix is out`. */
function isStatement(tokens: Token[], at: number, to: number): boolean {
  const { word } = tokens[at]!
  if (beginsStatement.has(word)) return true
  return beginsNoun.has(word) && tokens.slice(at + 1, Math.min(to, at + 8)).some((token) => finite.test(token.word))
}
