import { ar } from './ar/index.ts'
import { de } from './de/index.ts'
import { en } from './en/index.ts'
import { es } from './es/index.ts'
import { fr } from './fr/index.ts'
import { ja } from './ja/index.ts'
import { pt } from './pt/index.ts'
import type { LabelKey, Texts } from './texts.ts'

/** The labels of the service itself, in each language that has them. Texts of users are translations of their records. */
export const languages: Record<string, Texts> = { en, de, fr, es, pt, ja, ar }

const RIGHT_TO_LEFT = ['ar']

export interface Labels {
  /** The language of the labels, which can be more general than the requested locale. */
  language: string
  has(key: string): key is LabelKey
  text(key: LabelKey, values?: Record<string, string | number>): string
}

/** The labels in the language of a locale such as `pt-BR`, or in English. */
export function labelsFor(locale: string): Labels {
  const [wanted = ''] = locale.toLowerCase().split('-')
  const language = Object.hasOwn(languages, wanted) ? wanted : 'en'
  const texts = languages[language]!
  return { language, has: isLabel, text: (key, values) => fill(texts[key] ?? en[key], values) }
}

export const directionOf = (language: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.includes(language.split('-')[0]!) ? 'rtl' : 'ltr'

const isLabel = (key: string): key is LabelKey => Object.hasOwn(en, key)

/** Texts and names of placeholders in turn, once for each text of the catalogues. */
const splitTexts = new Map<string, string[]>()

function partsOf(text: string): string[] {
  const known = splitTexts.get(text)
  if (known) return known
  const parts = text.split(/\{(\w+)\}/)
  splitTexts.set(text, parts)
  return parts
}

/** Replaces all placeholders at once: a value that contains a placeholder is text. */
function fill(text: string, values: Record<string, string | number> | undefined): string {
  if (values === undefined) return text
  const parts = partsOf(text)
  let filled = parts[0]!
  for (let index = 1; index < parts.length; index += 2) {
    const name = parts[index]!
    filled += (values[name] ?? `{${name}}`) + parts[index + 1]!
  }
  return filled
}
