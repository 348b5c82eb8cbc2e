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

/** Refuses variables that the category does not have. */
export function requireKnownVariables({ title, body, category }: Message): void {
  const errors = unknownIn({ title, body }, category)
  if (errors.length > 0) throw invalid(errors)
}

/** Refuses unknown variables in translations, of the request or stored ones after a change of the category. */
export function requireKnownInTranslations(
  { translations, category }: Translated,
  requested: { locale: string }[],
): void {
  const errors = translations.flatMap(({ locale, values }) => {
    const index = requested.findIndex((one) => one.locale === locale)
    return unknownIn(values, category).map(({ path, message }) =>
      index < 0
        ? { path: 'category', message: `does not fit the ${path} of the translation in ${locale}: ${message}` }
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

/** Checks a text of another record with the variables of this category. */
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

/** Only a preset of the category maintenance can be posted automatically. */
export function requirePostable({ category, ...switches }: Posting): void {
  if (category === 'maintenance') return
  const on = (['auto_post_on_maintenance_start', 'auto_post_on_maintenance_completion'] as const).filter(
    (name) => switches[name],
  )
  if (on.length === 0) return
  throw invalid(
    on.map((path) => ({
      path,
      message: `is allowed only in the category maintenance; the category of this preset is ${category}`,
    })),
  )
}
