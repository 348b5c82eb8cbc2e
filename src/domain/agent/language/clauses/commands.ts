import { requestVerbs } from '../intents/phrases.ts'
import type { Token } from '../lexing/lexer.ts'
import type { Mention } from '../names/mentions.ts'
import type { Chunk } from '../times/chunks.ts'
import { functionWords } from '../words/function-words.ts'
import type { Form } from '../words/inflections.ts'
import type { Reading } from '../words/readings.ts'
import { readOpening } from './courtesy.ts'
import type { Span } from './sentences.ts'

interface Words {
  tokens: Token[]
  readings: Reading[][]
  mentions: Mention[]
  chunks: Chunk[]
}

export interface Command {
  /** The verb. */
  head: number
  polite: boolean
}

/**
 * The verb of a request: an imperative ("resolve it", "please resolve it", "can you resolve it"), after a time or name
 * ("on friday plan …", "incident 41: resolve it"), or a wish for a result ("get it resolved", "it can be resolved").
 */
export function findCommand(words: Words, span: Span): Command | undefined {
  const { tokens } = words
  const opening = readOpening(tokens, span.from, span.to)
  const start = skipSubject(tokens, opening.next)
  const form: Form = opening.gerund ? 'ing' : 'base'
  if (isVerb(words, start, form, span)) return result(words, start, opening.polite, span)
  const topic = skipTopic(words, start, span)
  if (topic !== undefined) {
    const next = readOpening(tokens, topic, span.to)
    const verb = skipSubject(tokens, next.next)
    if (isVerb(words, verb, next.gerund ? 'ing' : 'base', span))
      return result(words, verb, opening.polite || next.polite, span)
  }
  const taking = takingVerb(words, start, span)
  if (taking !== undefined) return { head: taking, polite: opening.polite }
  const passive = passiveVerb(words, start, span)
  return passive === undefined ? undefined : { head: passive, polite: false }
}

/** "We need an incident", "I would like a window". */
function skipSubject(tokens: Token[], at: number): number {
  if (!/^(i|we)$/.test(tokens[at]?.word ?? '')) return at
  const verb = tokens[at + 1]?.word === 'would' ? at + 2 : at + 1
  return /^(need|want|require|like)$/.test(tokens[verb]?.word ?? '') ? verb : at
}

/** "Get it resolved" has its verb behind. */
function result(words: Words, at: number, polite: boolean, span: Span): Command | undefined {
  const { word } = words.tokens[at]!
  if (!/^(get|have|need|want|require)$/.test(word)) return { head: at, polite }
  const behind = lastParticiple(words, at + 1, span)
  return { head: behind ?? at, polite }
}

function lastParticiple({ readings, tokens }: Words, from: number, { to }: Span): number | undefined {
  for (let at = to - 1; at >= from; at--) {
    const isResult = readings[at]!.some(
      ({ verb, form, concept }) => verb && form === 'past' && requestVerbs.has(concept),
    )
    // "The scheduled maintenance" is no wish: the participle of a result has nothing behind it but courtesy and times.
    if (isResult && !/^(the|a|an|all|any)$/.test(tokens[at - 1]!.word) && !readings[at + 1]?.some(({ verb }) => !verb))
      return at
  }
  return undefined
}

/** A word that is a noun as well is a verb only if no preposition follows: "update on 41" is none, "update 41" is one. */
const nounLike =
  /^(update|schedule|report|start|end|plan|change|check|test|review|note|book|set|claim|file|log|name|title|list|display|name|page|alert|alarm|stop|halt|drop|run)$/

function isVerb({ readings, tokens }: Words, at: number, form: Form, { to }: Span): boolean {
  if (at >= to) return false
  if (!readings[at]!.some((one) => isRequestVerb(one, form))) return false
  const next = tokens[at + 1]
  const { word } = tokens[at]!
  if (word === 'open' && readings[at + 1]?.some((one) => one.form === 'plural' && !one.verb)) return false
  if (
    /^(fix|update|test|check|plan|note)$/.test(word) &&
    readings[at + 1]?.some((one) => one.verb && one.form === 'past')
  )
    return false
  if (next && at + 1 < to && isQuestionVerb(word, next.word)) return false
  if (
    next &&
    at + 1 < to &&
    nounLike.test(word) &&
    /^(on|for|of|about|regarding|in|from|is|are|was)$/.test(next.word)
  ) {
    return /^(run|stop|drop)$/.test(word) ? false : hasText(tokens, at, to)
  }
  return true
}

/** "Tell me", "let me know", "have you …". */
const isQuestionVerb = (word: string, next: string) =>
  (/^(tell|let|inform|notify|get)$/.test(word) && /^(me|us)$/.test(next)) ||
  (/^(have|do)$/.test(word) && /^(i|you|we|they|he|she|there|any|not)$/.test(next))

/** "Update on 41: we found it" has a text, so it is a request. */
const hasText = (tokens: Token[], at: number, to: number) =>
  tokens.slice(at, to).some(({ kind, word }) => kind === 'quote' || word === ':')

const isRequestVerb = ({ verb, form, concept }: Reading, wanted: Form) =>
  (verb && form === wanted && requestVerbs.has(concept)) || (wanted === 'base' && concept === 'new' && form === 'base')

/** Times and names before the request: "on friday at 9pm", "for checkout", "incident 41:". */
function skipTopic({ tokens, readings, mentions, chunks }: Words, start: number, { to }: Span): number | undefined {
  let at = start
  let separated =
    chunks.some(({ from }) => from === start) ||
    /^(for|on|in|regarding|re|about|concerning|at)$/.test(tokens[start]?.word ?? '')
  while (at < to) {
    const chunk = chunks.find(({ from }) => from === at)
    const mention = mentions.filter(({ from, full }) => full && from === at).sort((a, b) => b.to - a.to)[0]
    const { kind, word } = tokens[at]!
    if (chunk) at = chunk.to
    else if (mention) at = mention.to
    else if (kind === 'mark' && /^[,:→-]$/.test(word)) {
      separated = true
      at++
      break
    } else if (word === 'please') {
      separated = true
      break
    } else if (kind === 'number' || kind === 'quote' || functionWords.has(word) || isKindNoun(readings[at]!)) at++
    else break
  }
  const politely = tokens.slice(start, to).some(({ word }) => word === 'please')
  // "Incident 41 update: …"
  const announced = tokens[at + 1]?.word === ':' && at > start
  return at > start && at < to && (separated || politely || announced) ? at : undefined
}

const kindNouns = new Set([
  'incident',
  'maintenance',
  'beat',
  'series',
  'action',
  'review',
  'item',
  'endpoint',
  'group',
  'occurrence',
  'problem',
])
const isKindNoun = (readings: Reading[]) => readings.some(({ concept, verb }) => !verb && kindNouns.has(concept))

/** "I'm taking incident 41", "I'll take it". */
function takingVerb({ tokens, readings }: Words, start: number, { to }: Span): number | undefined {
  if (!/^(i|we)$/.test(tokens[start]?.word ?? '')) return undefined
  for (let at = start + 1; at < Math.min(to, start + 4); at++) {
    if (readings[at]!.some(({ concept, verb, form }) => concept === 'take' && verb && form !== 'past')) return at
    if (!/^(will|am|can|now)$/.test(tokens[at]!.word)) return undefined
  }
  return undefined
}

/** "Incident 41 can be closed", "it needs to be resolved". */
function passiveVerb({ tokens, readings }: Words, start: number, { to }: Span): number | undefined {
  if (
    /^(is|are|was|were|can|could|should|may|must|will|would|do|does|did|has|have|had|what|which|who|when|where|why|how|if)$/.test(
      tokens[start]?.word ?? '',
    )
  )
    return undefined
  for (let at = start + 1; at < to - 1; at++) {
    if (tokens[at]!.word !== 'be') continue
    const [modal, before] = [tokens[at - 1]!.word, tokens[at - 2]?.word ?? '']
    const wished = /^(can|must)$/.test(modal) || (modal === 'to' && /^(needs|need|has|have|ready)$/.test(before))
    let verb = at + 1
    while (verb < to && /^(now|please|also|just)$/.test(tokens[verb]!.word)) verb++
    if (
      wished &&
      verb < to &&
      readings[verb]!.some(
        ({ verb: isVerbForm, form, concept }) => isVerbForm && form === 'past' && requestVerbs.has(concept),
      )
    )
      return verb
  }
  return undefined
}

const howTo =
  /\b(how (do|can|to|could|would|should|does)|possible|way|allowed|able|possibility)( (i|we|one|you|someone|anyone|people|to|for|please|also|just))*$/
const mayOne =
  /\b((can|could|may|might) (i|we|one|someone|anyone|anybody|people|users)|who (can|could|may))( (please|also|just))*$/

/** "Can I open …", "how do I resolve …", "is there a way to pause …": a question about what can be done. */
export function asksHow({ tokens, readings }: Words, { from, to }: Span): boolean {
  for (let at = from + 1; at < to; at++) {
    const isBase = readings[at]!.some((one) => isRequestVerb(one, 'base'))
    if (!isBase || /^(get|have|need|want|see|know)$/.test(tokens[at]!.word)) continue
    const before = tokens
      .slice(Math.max(from, at - 4), at)
      .map(({ word }) => word)
      .join(' ')
    if (howTo.test(before) || mayOne.test(before)) return true
  }
  return false
}
