import { jsonInside } from './json-inside.ts'
import { isSecretName } from './secret-rules.ts'

/** Masks what looks like a credential in payloads of other systems: the names stay, the values do not. */

export const MASK = '[redacted]'

/** A copy without the values of secret names, at any depth and in JSON inside texts, and without texts that look like credentials. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return value.map(redact)
  if (typeof value !== 'object' || value === null) return value
  // `defineProperty` semantics: a payload may have a property named __proto__.
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isSecretName(name) && part !== null ? MASK : redact(part)]),
  )
}

const NAMES =
  'pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|authorization|cookie'
/** A name and what separates it from its value; the quotes of JSON inside a text may be escaped. */
const NAMED = `(?:${NAMES})\\\\{0,3}["']?\\s{0,3}[=:]\\s{0,3}`
const SCHEME = '(?:(?:bearer|basic|digest)\\s{1,3})?'
/** Up to the closing quote, or without quotes up to a space or separator. */
const VALUE = `(?:(\\\\{0,3}"${SCHEME})[^"]{1,2000}|(\\\\{0,3}'${SCHEME})[^']{1,2000}|(${SCHEME})(?!\\\\{1,3}["'])[^\\s"'&;,]{1,2000})`

const credentials: [RegExp, string][] = [
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g, MASK],
  // The look behind lets a run of such characters start one attempt only.
  [/(?<![\w-])eyJ[\w-]{8,4000}\.[\w-]{8,8000}\.[\w-]{0,2000}/g, MASK],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, MASK],
  [/\b(?:gh[pousr]|github_pat|glpat|xox[abeoprs]|[rs]k_live|[rs]k_test|whsec|AIza)[_-][\w-]{10,}/g, MASK],
  [/\bnpm_[A-Za-z0-9]{30,}|\bsk-(?:[a-z]{2,10}-)?[A-Za-z0-9_]{20,}/g, MASK],
  [/\bAIza[\w-]{30,}/g, MASK],
  [/\bup[bihl]_\w{20,}/g, MASK],
  // Words follow "basic" and "bearer" too: a credential has a digit, capitals inside, or many characters.
  [/\b((?i:bearer|basic)\s{1,3})(?=[\w+/.~-]{0,200}(?:[\d=]|[a-z][A-Z])|[\w+/.~-]{24})[\w+/=.~-]{8,}/g, `$1${MASK}`],
  [/(:\/\/)[^/\s:@]{1,200}:[^/\s@]{1,200}@/g, `$1${MASK}@`],
  [/\b((?:set-)?cookie\s{0,3}:\s{0,3})[^\r\n"']{1,4000}/gi, `$1${MASK}`],
  [new RegExp(`(${NAMED})${VALUE}`, 'gi'), `$1$2$3$4${MASK}`],
]

const PARAMETER = /([?&])([\w.~%-]{1,60})=[^&#\s"'<>]{1,2000}/g

/** A text without credentials; JSON inside the text is redacted by its names. A text without any stays as it is. */
export function redactText(text: string): string {
  const inside = jsonInside(text)
  if (inside !== undefined) {
    const redacted = JSON.stringify(redact(inside))
    return redacted === JSON.stringify(inside) ? text : redacted
  }
  const masked = credentials.reduce((part, [pattern, mask]) => part.replace(pattern, mask), text)
  return masked.replace(PARAMETER, (all, mark, name) => (isSecretName(name) ? `${mark}${name}=${MASK}` : all))
}
