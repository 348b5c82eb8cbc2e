import { type FieldError, invalid } from '../kernel/errors.ts'
import { type Category, isVariable, unknownVariables, variablesOf } from './rules.ts'

interface Message {
  title: string
  body: string
  category: Category
}

interface Translated {
  category: Category
  translations: { locale: string; values: Record<string, string> }[]
}

interface Posting {
  category: Category
  auto_post_on_maintenance_start: boolean
  auto_post_on_maintenance_completion: boolean
}

/** A message names only what its category can fill in. */
export function requireKnownVariables({ title, body, category }: Message): void {
  const errors = unknownIn({ title, body }, category)
  if (errors.length > 0) throw invalid(errors)
}

/** Nor does it in another language, be that one of the request or one that a change of the category leaves behind. */
export function requireKnownInTranslations({ translations, category }: Translated, said: { locale: string }[]): void {
  const errors = translations.flatMap(({ locale, values }) => {
    const index = said.findIndex((one) => one.locale === locale)
    return unknownIn(values, category).map(({ path, message }) =>
      index < 0
        ? { path: 'category', message: `the translation in ${locale} says otherwise in its ${path}: ${message}` }
        : { path: `translations.${index}.values.${path}`, message },
    )
  })
  if (errors.length > 0) throw invalid(errors)
}

function unknownIn(texts: Record<string, string>, category: Category): FieldError[] {
  return Object.entries(texts).flatMap(([path, text]) =>
    unknownVariables(text, category).map((name) => unknown(path, name, category)),
  )
}

/** The same for a text of another record that is filled in like a preset of this category. */
export function requireVariables(path: string, text: string | null | undefined, category: Category): void {
  const errors = text ? unknownIn({ [path]: text }, category) : []
  if (errors.length > 0) throw invalid(errors)
}

export function requireKnownValues(values: Record<string, string>, category: Category): void {
  const errors = Object.keys(values)
    .filter((name) => !isVariable(name, category))
    .map((name) => unknown(`values.${name}`, name, category))
  if (errors.length > 0) throw invalid(errors)
}

function unknown(path: string, name: string, category: Category): FieldError {
  const choice = variablesOf(category).map((variable) => `{{${variable.name}}}`)
  return { path, message: `{{${name}}} is not a variable of the category ${category}; it has ${choice.join(', ')}` }
}

/** Only a preset for maintenances is posted by itself when one starts or ends. */
export function requirePostable({ category, ...switches }: Posting): void {
  if (category === 'maintenance') return
  const on = (['auto_post_on_maintenance_start', 'auto_post_on_maintenance_completion'] as const).filter(
    (name) => switches[name],
  )
  if (on.length === 0) return
  throw invalid(on.map((path) => ({ path, message: `is for the category maintenance alone, and this is ${category}` })))
}
