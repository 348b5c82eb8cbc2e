import { readHost } from '../../outbound/host-rules.ts'

/** A language tag in its canonical spelling, such as `pt-BR` for `pt-br`; undefined for an invalid BCP 47 tag. */
export function canonicalLocale(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag).at(0)
  } catch {
    return undefined
  }
}

/**
 * A zone of the tz database in its canonical spelling, such as `Europe/Berlin` for `europe/berlin`; undefined for another name. An
 * offset is not a zone, because it has no summer time. A second name of a zone, such as `Asia/Kolkata`, stays as written.
 */
export function canonicalZone(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    const isSecondName = timeZone.toLowerCase() !== name.toLowerCase()
    return isSecondName && hasCapitals(name) ? name : timeZone
  } catch {
    return undefined
  }
}

/** Whether capitals are where names of zones have them: at the start of each part, as in `US/Eastern`, or in one part only, as in `GMT`. */
const hasCapitals = (name: string) => {
  const parts = name.split('/')
  return parts.every((part) => /^[A-Z]/.test(part)) && (parts.length === 1 || /[a-z]/.test(name))
}

export const isTimeZone = (name: string): boolean => canonicalZone(name) !== undefined

/** Whether the runtime writes dates in the language of a tag. */
export function hasDates(tag: string): boolean {
  const canonical = canonicalLocale(tag)
  return canonical !== undefined && Intl.DateTimeFormat.supportedLocalesOf(canonical).length > 0
}

/**
 * The first locale that the runtime supports; without one the runtime would use its environment. English without a region
 * means en-GB: the day comes first, and hours go to 24.
 */
export function dateLocale(...wanted: string[]): string {
  const [known = 'en'] = Intl.DateTimeFormat.supportedLocalesOf(wanted.filter(Boolean))
  return known === 'en' ? 'en-GB' : known
}

interface Locales {
  document_locale: string
  supported_locales: string[]
}

/** Why `document_locale` is not valid: it must be one of `supported_locales` if those are set. */
export function localeProblem({ document_locale, supported_locales }: Locales): string | undefined {
  if (supported_locales.length === 0 || supported_locales.includes(document_locale)) return undefined
  return `"${document_locale}" must be among supported_locales, which are ${supported_locales.join(', ')}`
}

const MINUTES: Record<string, number> = { '': 1, m: 1, h: 60, d: 24 * 60 }
const MOST_TIMES = 10
const LONGEST_MINUTES = 90 * 24 * 60

/** `1d, 2h, 15` in minutes, longest first; undefined for an invalid list. */
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

/** The addresses of a list separated by commas, semicolons or line breaks; undefined if one is invalid. */
export function addressesIn(list: string): string[] | undefined {
  const addresses = list
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter(Boolean)
  return addresses.every((one) => EMAIL.test(one)) ? addresses : undefined
}

/** Whether a link of the page may go there: no other scheme can run a script, and `//host` is no path. */
export function isLinkTarget(target: string): boolean {
  if (/^\/(?![/\\])[^\s\\]*$/.test(target)) return true
  if (!/^(https:\/\/|mailto:)\S+$/i.test(target)) return false
  return URL.canParse(target)
}

/** Whether a page may load from there: a content security policy reads `*.example.com` as many hosts. */
export function isSecureAddress(address: string): boolean {
  const url = /^https:\/\/\S+$/i.test(address) ? URL.parse(address) : null
  return url !== null && url.username === '' && url.password === '' && readHost(url.hostname) !== null
}
