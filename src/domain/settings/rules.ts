/** A language tag in its usual spelling, such as `pt-BR` for `pt-br`; nothing for what is no BCP 47 tag. */
export function canonicalLocale(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag).at(0)
  } catch {
    return undefined
  }
}

/** A zone that the tz database names; an offset is not one, because it knows no summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

interface Locales {
  document_locale: string
  supported_locales: string[]
}

/** A page is written in one of the languages that it supports, once it says which those are. */
export function localeProblem({ document_locale, supported_locales }: Locales): string | undefined {
  if (supported_locales.length === 0 || supported_locales.includes(document_locale)) return undefined
  return `"${document_locale}" must be among supported_locales, which are ${supported_locales.join(', ')}`
}
