/** Which parts of a target are secrets: they are stored encrypted and never shown. */

export const REDACTED = '•••'

/** Matched in a name without its separators: these texts are part of no other word. */
const secretParts =
  /authoriz|^auth$|xauth|authentication|cookie|token|secret|passw|passphrase|passcode|pwd|credential|apikey|privatekey|signature|session|jwt|key$|^sig$/

/** Matched as whole words only, because of words such as "passengers" and "pinned". */
const secretWords = /^(auth|bearer|creds?|cvc|cvv|otp|pass|pin|psk|pw|sig|totp)\d*$/

/** Whether the value under this name is a secret: of a header, a parameter of a URL or a key of a payload. */
export function isSecretName(name: string): boolean {
  return (
    secretParts.test(name.toLowerCase().replace(/[^a-z0-9]/g, '')) ||
    wordsOf(name).some((word) => secretWords.test(word))
  )
}

/** Whether the value at a path is a secret, by any name in the path. */
export function isSecretPath(path: string): boolean {
  return [path, ...path.split(/[.[\]]+/)].some(isSecretName)
}

/** The words of a name: `X-DB-Pin`, `db_pin`, `dbPin` and `DBPin` all contain `db` and `pin`. */
function wordsOf(name: string): string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return spaced.toLowerCase().split(/[^a-z0-9]+/)
}

/** A URL without its user, and with its secret parameters masked. */
export function shownUrl(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  parsed.username = ''
  parsed.password = ''
  for (const name of new Set(parsed.searchParams.keys())) {
    if (isSecretName(name)) parsed.searchParams.set(name, REDACTED)
  }
  return parsed.href.replaceAll(encodeURIComponent(REDACTED), REDACTED)
}

/** Shorter secrets are not masked in other texts, because they are part of too many words. */
const SHORTEST = 4

/** The fields of a target that may contain secrets. */
export interface SecretFields {
  url?: string
  headers?: Record<string, string>
  assertions?: { path?: string; value?: unknown }[]
}

/** The secret texts of a target, which are masked where a target repeats them. */
export function secretsOf({ assertions = [], ...target }: SecretFields): string[] {
  const headers = Object.entries(target.headers ?? {}).filter(([name]) => isSecretName(name))
  const inHeaders = headers.flatMap(([, value]) => [value, ...partsOf(value)])
  const url = target.url === undefined ? null : URL.parse(target.url)
  const inUrl = [url?.username ?? '', url?.password ?? '', ...secretParameters(url?.search ?? '')]
  const wanted = assertions.flatMap(({ path = '', value }) => (isSecretPath(path) ? [value].flat() : []))
  const inAssertions = wanted.filter((value) => typeof value === 'string')
  const spellings = [...inHeaders, ...inUrl, ...inAssertions].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ])
  return [...new Set(spellings)].filter((secret) => secret.length >= SHORTEST).sort((a, b) => b.length - a.length)
}

/** The values of secret parameters, both decoded and as written in the URL. */
function secretParameters(search: string): string[] {
  const written = search.slice(1).split('&')
  return written.flatMap((pair) => {
    const [[name, value] = ['', '']] = new URLSearchParams(pair)
    return isSecretName(name) ? [value, pair.slice(pair.indexOf('=') + 1)] : []
  })
}

/** The parts of a header that may appear alone: `x` of `Bearer x`, and each single cookie. */
function partsOf(value: string): string[] {
  const credentials = /^[A-Za-z-]+ +(\S.*)$/.exec(value)?.[1] ?? ''
  const named = value.split(/[;,]\s*/).map((part) => part.slice(part.indexOf('=') + 1))
  return [credentials, ...named]
}

/** Masks secrets in a text. The longest secret comes first, so that no part of a longer secret remains. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, REDACTED), text)
}
