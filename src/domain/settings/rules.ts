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

/**
 * Whose way of writing dates is followed: of these the first that the runtime knows, or it would follow its own
 * environment. English that names no region is read in all of them: the day comes first, and hours go to 24.
 */
export function dateLocale(...wanted: string[]): string {
  const [known = 'en'] = Intl.DateTimeFormat.supportedLocalesOf(wanted.filter(Boolean))
  return known === 'en' ? 'en-GB' : known
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

const MINUTES: Record<string, number> = { '': 1, m: 1, h: 60, d: 24 * 60 }
const MOST_TIMES = 10
const LONGEST_MINUTES = 90 * 24 * 60

/** `1d, 2h, 15` in minutes, longest first; nothing for what cannot be read. */
export function minutesIn(list: string): number[] | undefined {
  const parts = list.split(',').map((part) => part.trim())
  if (parts.length === 1 && parts[0] === '') return []
  const minutes = parts.map((part) => {
    const [, count, unit = ''] = /^(\d{1,6})\s*([mhd]?)$/i.exec(part) ?? []
    return Number(count) * MINUTES[unit.toLowerCase()]!
  })
  const known = [...new Set(minutes)].sort((a, b) => b - a)
  return known.length <= MOST_TIMES && known.every((one) => one >= 1 && one <= LONGEST_MINUTES) ? known : undefined
}

const EMAIL = /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/

/** The addresses of a list with commas, semicolons or new lines between them; nothing if one is no address. */
export function addressesIn(list: string): string[] | undefined {
  const addresses = list
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter(Boolean)
  return addresses.every((one) => EMAIL.test(one)) ? addresses : undefined
}
