import type { SiteView } from '../../domain/pages/views/site.ts'
import {
  defaultIncidentStages,
  defaultMaintenanceStages,
  defaultStatusTypes,
} from '../../domain/vocabulary/defaults.ts'
import { en } from '../../languages/en/index.ts'
import type { Labels } from '../../languages/labels.ts'
import { html, type Markup } from '../markup.ts'

export interface Languages {
  /** The language of texts without translations, such as the names of items. */
  original: Markup | undefined
  /** The language of a field of a record, such as `incident`, 7, `title`. */
  of(kind: string, id: number, field: string): Markup | undefined
  /** The language of a text of the settings, such as `footer_text`. */
  ofSetting(field: string): Markup | undefined
  /** The language of the name of a status type or a stage: default names are words of the catalogue. */
  ofVocabulary(name: string): Markup | undefined
}

const vocabulary = [defaultStatusTypes, defaultIncidentStages, defaultMaintenanceStages]
const englishNames = new Set(vocabulary.flatMap((list: { name: string }[]) => list.map(({ name }) => name)))
const namesInCatalogue = (Object.keys(en) as (keyof typeof en)[]).filter((key) => /^(status|stage)\./.test(key))

/** The `lang` attributes of elements whose language is not that of the document. */
export function languagesOf(
  { language, original_language, translated, vocabulary: translatedNames }: SiteView,
  labels: Labels,
): Languages {
  const marked = (tag: string) => (tag.split('-')[0] === labels.language ? undefined : html` lang="${tag}"`)
  const original = marked(original_language)
  const own = marked(language)
  const ours = new Set(namesInCatalogue.map((key) => labels.text(key)))
  const hasTranslations = Object.keys(translated).length > 0
  const of: Languages['of'] = (kind, id, field) =>
    hasTranslations && translated[`${kind}:${id}`]?.includes(field) ? own : original
  return {
    original,
    of,
    ofSetting: (field) => of('settings', 0, field),
    ofVocabulary: (name) => {
      if (translatedNames.includes(name)) return own
      if (ours.has(name)) return undefined
      return englishNames.has(name) ? marked('en') : original
    },
  }
}
