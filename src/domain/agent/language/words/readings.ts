import { speller, WordList } from './distance.ts'
import { fillers, functionWords } from './function-words.ts'
import { type Form, nounForms, verbForms } from './inflections.ts'
import { type Concept, nouns, others, verbs } from './vocabulary.ts'

/** One meaning of a written word. */
export interface Reading {
  concept: Concept
  form: Form
  verb: boolean
}

const readings = new Map<string, Reading[]>()
for (const [concept, words] of Object.entries(verbs)) addAll(concept as Concept, words, verbForms, true)
for (const [concept, words] of Object.entries(nouns)) addAll(concept as Concept, words, nounForms, false)
for (const [concept, words] of Object.entries(others)) {
  addAll(concept as Concept, words, (word) => [[word, concept === 'incident' ? 'plural' : 'base']], false)
}

function addAll(concept: Concept, words: string, forms: (word: string) => [string, Form][], verb: boolean) {
  for (const word of words.split(' ')) {
    for (const [written, form] of forms(word)) {
      const known = readings.get(written) ?? []
      if (!known.some((one) => one.concept === concept && one.form === form && one.verb === verb)) {
        readings.set(written, [...known, { concept, form, verb }])
      }
    }
  }
}

/** Only words of five letters and more are found in spite of typing errors. */
const spelled = new WordList([...readings.keys()].filter((word) => word.length >= 5))
const none: Reading[] = []

/** Finds the meanings of the words of one query. */
export function reader(): (word: string) => Reading[] {
  const nearest = speller(spelled, 300)
  return (word) => {
    const exact = readings.get(word)
    if (exact || word.length < 4 || functionWords.has(word) || fillers.has(word)) return exact ?? none
    return readings.get(nearest(word) ?? '') ?? none
  }
}
