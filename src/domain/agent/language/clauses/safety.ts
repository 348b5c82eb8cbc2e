import type { Token } from '../lexing/lexer.ts'
import { fillers, functionWords } from '../words/function-words.ts'
import { isCourtesy } from './courtesy.ts'
import type { Span } from './sentences.ts'

const roles =
  /(?:^|\n|[.!?]\s)\s*(?:[[<#*]{0,3}\s?\/?(?:system|assistant|developer|user|instructions?|new instructions?|admin)\s?[\]>*#]{0,3}\s?:|[[<]\/?(?:system|assistant|developer|user|inst)[\]>])/i
const overriding = new Set(['ignore', 'disregard', 'forget', 'override', 'bypass', 'discard'])
const rules =
  /^(instructions?|rules?|prompts?|guidelines?|above|everything|directions?|restrictions?|policy|policies|before)$/

/** The text tries to speak for the system instead of the user. */
export function isInjected(query: string, tokens: Token[]): boolean {
  if (roles.test(query)) return true
  return tokens.some(
    ({ word }, at) => overriding.has(word) && tokens.slice(at + 1, at + 7).some((token) => rules.test(token.word)),
  )
}

const reporting = new Set(
  [
    'said says say saying wrote writes write asked asks told tells reads states stated mentions mentioned contains contained',
    'replied replies answered suggests suggested demanded demands requested requests claims claimed shouted quoted',
    'payload quote transcript',
  ].flatMap((line) => line.split(' ')),
)

/** Words of another person follow: from here on nothing is a command, up to a comma with something reported before it. */
export function reportAt(tokens: Token[], { from, to }: Span): number | undefined {
  for (let at = from; at < to; at++) if (reporting.has(tokens[at]!.word)) return at
  return undefined
}

/** "The customer wrote: …" without quotes: from here to the end the words are those of another person. */
export function reportedFrom(tokens: Token[]): number {
  const isColon = (at: number) =>
    tokens[at]!.word === ':' && tokens[at + 1] !== undefined && !/^(quote|code)$/.test(tokens[at + 1]!.kind)
  for (let at = 0; at < tokens.length; at++) {
    if (!isColon(at)) continue
    if (tokens.slice(Math.max(0, at - 6), at).some(({ word }) => reporting.has(word))) return at
  }
  return tokens.length
}

const negators = new Set(['not', 'never', 'without', 'refrain', 'avoid', 'neither', 'nor', 'dont', 'no-one'])

/** The position of a negation: `not`, `never`, `no need`, `refrain from`. */
export function negationIn(tokens: Token[], { from, to }: Span): number | undefined {
  for (let at = from; at < to; at++) {
    const { word } = tokens[at]!
    if (negators.has(word) && tokens[at + 1]?.word !== 'forget') return at
    if (word === 'no' && /^(need|reason|point)$/.test(tokens[at + 1]?.word ?? '')) return at
    if (word === 'instead' && tokens[at + 1]?.word === 'of') return at
  }
  return undefined
}

/** Words of "no, I did not mean that yet". */
const takingBack =
  /^(mean|meant|think|thought|yet|ready|right|correct|good|necessary|needed|never|mind|wait|say|said|ask|asked|yes|no)$/

/** A negation that states nothing takes back what was asked for: "do not", "not yet", but not "payments do not work". */
export const isBareNegation = (tokens: Token[], { from, to }: Span): boolean =>
  tokens
    .slice(from, to)
    .every(
      ({ kind, word }) =>
        kind === 'mark' ||
        (kind === 'word' &&
          (negators.has(word) || takingBack.test(word) || functionWords.has(word) || fillers.has(word))),
    )

const conditions = new Set(
  'if unless once when whenever assuming suppose supposing provided providing imagine hypothetically otherwise whether pretend depending'.split(
    ' ',
  ),
)

/** The position of a condition, outside of what is taken by times and texts. */
export function conditionIn(tokens: Token[], { from, to }: Span, isTaken: (at: number) => boolean): number | undefined {
  for (let at = from; at < to; at++) {
    if (isTaken(at)) continue
    const { word } = tokens[at]!
    const soon = word === 'as' && tokens[at + 1]?.word === 'soon'
    const inCase = word === 'in' && tokens[at + 1]?.word === 'case'
    const after = /^(after|before|until)$/.test(word) && !isTaken(at + 1)
    // "Run it once" counts.
    const isCount =
      word === 'once' &&
      (at + 1 >= to || tokens[at + 1]!.kind === 'mark' || /^(now|more|again|please)$/.test(tokens[at + 1]!.word))
    if (isCount) continue
    if ((conditions.has(word) || soon || inCase || after) && !isCourtesy(tokens, at)) return at
  }
  return undefined
}
