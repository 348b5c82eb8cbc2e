import type { PageView } from '../domain/pages/views/home.ts'
import { defaultIncidentStages, defaultMaintenanceStages, defaultStatusTypes } from '../domain/vocabulary/defaults.ts'
import { html, type Markup } from './markup.ts'

/** The labels of the page are English; an element in another language has its own `lang`. */
export const DOCUMENT_LANGUAGE = 'en'

/** The `lang` attribute of an element, unless its language is that of the document. */
export function inLanguage(tag: string): Markup | undefined {
  return tag.split('-')[0] === DOCUMENT_LANGUAGE ? undefined : html` lang="${tag}"`
}

export interface Languages {
  /** The language of texts without translations, such as the names of items. */
  original: Markup | undefined
  /** The language of a field of a record, such as `incident`, 7, `title`. */
  of(kind: string, id: number, field: string): Markup | undefined
  /** The language of the name of a status type or a stage: default names are English. */
  ofVocabulary(name: string): Markup | undefined
}

const vocabulary = [defaultStatusTypes, defaultIncidentStages, defaultMaintenanceStages]
const englishNames = new Set(vocabulary.flatMap((list: { name: string }[]) => list.map(({ name }) => name)))

export function languagesOf({ language, original_language, translated }: PageView): Languages {
  const original = inLanguage(original_language)
  const own = inLanguage(language)
  return {
    original,
    of: (kind, id, field) => (translated[`${kind}:${id}`]?.includes(field) ? own : original),
    ofVocabulary: (name) => (englishNames.has(name) ? undefined : original),
  }
}
