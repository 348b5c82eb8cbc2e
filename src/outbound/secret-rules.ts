/** Which parts of a target are secrets: these are encrypted where they are kept, and never said anywhere. */

export const REDACTED = '•••'

/** In a name without what separates its words: these stand in no other word. */
const secretParts =
  /authoriz|^auth$|xauth|authentication|cookie|token|secret|passw|passphrase|passcode|pwd|credential|apikey|privatekey|signature|session|jwt|key$|^sig$/

/** Only as a word of its own: there are passengers, and what is pinned. */
const secretWords = /^(auth|bearer|creds?|cvc|cvv|otp|pass|pin|psk|pw|sig|totp)\d*$/

/** Whether what goes by this name is a secret: a header, a parameter of a URL or a key of a payload. */
export function isSecretName(name: string): boolean {
  return (
    secretParts.test(name.toLowerCase().replace(/[^a-z0-9]/g, '')) ||
    wordsOf(name).some((word) => secretWords.test(word))
  )
}

/** Whether what is at a path is a secret, by any of the names that lead there. */
export function isSecretPath(path: string): boolean {
  return [path, ...path.split(/[.[\]]+/)].some(isSecretName)
}

/** As they are separated: `X-DB-Pin`, `db_pin`, `dbPin` and `DBPin` hold the same two. */
function wordsOf(name: string): string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return spaced.toLowerCase().split(/[^a-z0-9]+/)
}

/** A URL as it may be shown: without a user, and with the secrets among its parameters left out. */
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

/** A shorter text stands in other words too often to be struck out of them. */
const SHORTEST = 4

/** Where a target may hold such texts. */
export interface Telling {
  url?: string
  headers?: Record<string, string>
  assertions?: { path?: string; value?: unknown }[]
}

/** The texts of a target that nobody may read, also where the other side repeats them. */
export function secretsOf({ assertions = [], ...target }: Telling): string[] {
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

/** As they are written in the URL, and as they are meant. */
function secretParameters(search: string): string[] {
  const written = search.slice(1).split('&')
  return written.flatMap((pair) => {
    const [[name, value] = ['', '']] = new URLSearchParams(pair)
    return isSecretName(name) ? [value, pair.slice(pair.indexOf('=') + 1)] : []
  })
}

/** `Bearer x` is said without its first word, and one cookie without the others. */
function partsOf(value: string): string[] {
  const credentials = /^[A-Za-z-]+ +(\S.*)$/.exec(value)?.[1] ?? ''
  const named = value.split(/[;,]\s*/).map((part) => part.slice(part.indexOf('=') + 1))
  return [credentials, ...named]
}

/** The secrets have the longest first, so that none leaves the rest of another. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((said, secret) => said.replaceAll(secret, REDACTED), text)
}
