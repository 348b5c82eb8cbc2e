import type { Token } from '../lexing/lexer.ts'

/** Words before a sentence that change nothing in it. */
const interjections = new Set(
  [
    'please kindly thanks thank hey hi hello howdy yo dear ok okay alright right sure yes yeah yep well so and then also now just',
    'quickly quick asap urgent urgently fyi btw bot upbeat team folks all guys sorry actually simply immediately again oh ah hm',
    'hmm uh um morning afternoon evening good question request task todo everyone everybody great cool perfect nice maybe possibly instead',
    'ever next afterwards lastly finally first',
  ].flatMap((line) => line.split(' ')),
)

/** What stands before a verb in a polite request; `|` separates alternatives, a word that ends in `?` can be absent. */
const beforeVerb = [
  'can|could|would|will you please? be so? kind as? to|and',
  'can|could|would|will you',
  'can|could|may i|we please',
  'i|we would like|love|prefer you? to',
  'i|we want|need|wish you? to',
  'i|we have to',
  'i|we must',
  'i am asking you to',
  'id like you? to',
  'need|want|like you? to',
  'lets',
  'let us',
  'please? go ahead and',
  'feel free to',
  'make sure to',
  'make sure that? you',
  'remember to',
  'do not forget to',
  'be so kind as? to|and',
  'help me|us to?',
  'try to',
  'you can|may|must',
  'if you could|can|would',
  'it would be great|nice|good|cool|helpful|lovely|awesome if you could|can|would',
  'would be great|nice|good|cool|helpful|lovely|awesome if you could|can|would',
  'i would appreciate it? if you could|can|would',
  'would it be ok|okay to',
  'do you think you can|could',
  'time to',
].map(compile)

const beforeGerund = ['would|do|could you mind'].map(compile)

/** Phrases with "if" or "when" that are no condition. */
const courtesies = [
  'if possible',
  'if that? is? ok|okay',
  'if you could|can|would|please|like|want|dont',
  'if you do not mind',
  'if you have time',
  'if needed',
  'when you can|could',
  'when you have|get time',
  'when you have|get a chance|minute|moment|second|sec',
  'if you have|get a chance|minute|moment|second|sec',
  'when possible',
  'as soon as possible',
  'as soon as you can',
  'would be great|nice|good|cool|helpful|lovely|awesome if',
].map(compile)

interface Part {
  words: string[]
  optional: boolean
}

function compile(pattern: string): Part[] {
  return pattern.split(' ').map((part) => ({ words: part.replace('?', '').split('|'), optional: part.endsWith('?') }))
}

function matchEnd(tokens: Token[], at: number, parts: Part[]): number | undefined {
  let next = at
  for (const { words, optional } of parts) {
    if (words.includes(tokens[next]?.word ?? '')) next++
    else if (!optional) return undefined
  }
  return next
}

/** The first position at or after `at` without an interjection. */
export function skipInterjections(tokens: Token[], at: number, to: number): number {
  let next = at
  while (
    next < to &&
    (interjections.has(tokens[next]!.word) || isBehindInterjection(tokens, next, at) || isDiscourseNo(tokens, next))
  )
    next++
  return next
}

/** "Hi there," and "request:". */
const isBehindInterjection = (tokens: Token[], next: number, at: number) => {
  const { word } = tokens[next]!
  return (
    word === ',' ||
    (next > at && (word === ':' || (word === 'there' && /^(hi|hey|hello)$/.test(tokens[next - 1]!.word))))
  )
}

/** The "no" in "no, make it 23:00". */
const isDiscourseNo = (tokens: Token[], at: number) =>
  /^(no|nope)$/.test(tokens[at]!.word) && tokens[at + 1]?.word === ','

export interface Opening {
  /** Where the sentence itself begins. */
  next: number
  polite: boolean
  gerund: boolean
}

function skipCourtesies(tokens: Token[], at: number, to: number): number {
  const next = skipInterjections(tokens, at, to)
  const end = courtesies.map((parts) => matchEnd(tokens, next, parts) ?? 0).reduce((a, b) => Math.max(a, b), 0)
  return end > next && tokens[end - 1]?.word !== 'if' && end <= to && tokens[end]?.word === ','
    ? skipInterjections(tokens, end, to)
    : next
}

/** Skips interjections and polite beginnings. */
export function readOpening(tokens: Token[], at: number, to: number): Opening {
  let opening: Opening = { next: at, polite: false, gerund: false }
  for (let steps = 0; steps < 8; steps++) {
    const next = skipCourtesies(tokens, opening.next, to)
    const polite =
      opening.polite || tokens.slice(opening.next, next).some(({ word }) => word === 'please' || word === 'kindly')
    const ends = beforeVerb.map((parts) => matchEnd(tokens, next, parts)).filter((end) => end !== undefined)
    const gerund = beforeGerund.map((parts) => matchEnd(tokens, next, parts)).find((end) => end !== undefined)
    if (gerund !== undefined) {
      opening = { next: skipInterjections(tokens, gerund, to), polite: true, gerund: true }
      break
    }
    if (isWish(tokens, next)) {
      opening = { next: next + 2, polite: true, gerund: false }
      continue
    }
    if (ends.length === 0 || Math.max(...ends) > to) return { ...opening, next, polite }
    opening = { next: Math.max(...ends), polite: true, gerund: false }
  }
  return opening
}

/** "Could we get a window", but not "can we open one". */
const isWish = (tokens: Token[], at: number) =>
  /^(can|could|may)$/.test(tokens[at]?.word ?? '') &&
  /^(i|we)$/.test(tokens[at + 1]?.word ?? '') &&
  /^(get|have)$/.test(tokens[at + 2]?.word ?? '')

/** A courtesy such as "if possible" covers a position. */
export function isCourtesy(tokens: Token[], at: number): boolean {
  return [0, 1, 2, 3, 4].some((back) =>
    courtesies.some((parts) => (matchEnd(tokens, Math.max(0, at - back), parts) ?? 0) > at),
  )
}
