import type { RecordKind } from '../types.ts'
import type { Concept } from '../words/vocabulary.ts'
import type { Intent } from './intent.ts'
import { questions } from './questions.ts'
import { requests } from './requests.ts'

export type Mark = '$status' | '$stage' | '$outage' | '$past' | '$time' | '$now'
export type Alternative = { concept: Concept } | { reference: RecordKind; known: boolean } | { mark: Mark }

export interface Part {
  alternatives: Alternative[]
  optional: boolean
}

export interface Phrase<I extends Intent = Intent> {
  intent: I
  parts: Part[]
}

function compile(text: string): Part[] {
  return text.split(' ').map((part) => {
    const words = part.replace(/\?$/, '').split('|')
    return { alternatives: words.map(alternativeOf), optional: part.endsWith('?') }
  })
}

function alternativeOf(word: string): Alternative {
  if (word.startsWith('$')) return { mark: word as Mark }
  const [, kind, known] = /^\{(\w+)(!?)\}$/.exec(word) ?? []
  return kind ? { reference: kind as RecordKind, known: known === '!' } : { concept: word as Concept }
}

const phrasesOf = <I extends Intent>(intents: I[]): Phrase<I>[] =>
  intents.flatMap((intent) => intent.phrases.map((text) => ({ intent, parts: compile(text) })))

export const questionPhrases = phrasesOf(questions)
export const requestPhrases = phrasesOf(requests)

/** The verbs with which a request can begin. */
export const requestVerbs: ReadonlySet<Concept> = new Set(
  requestPhrases.flatMap(({ parts }) =>
    parts[0]!.alternatives.flatMap((one) => ('concept' in one ? [one.concept] : [])),
  ),
)

const byName = new Map([...questions, ...requests].map((intent) => [intent.name as string, intent as Intent]))

export const intentNamed = (name: Intent['name']): Intent => byName.get(name)!
