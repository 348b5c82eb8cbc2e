import { isSecretName, REDACTED, secretsOf, type Telling } from '../../src/domain/beats/secret-rules.ts'

/** Deeper than this, none of a value would be quoted: each level takes a character. */
const DEEPEST = 80

/** The texts of a target that nobody may read. The other side decodes what it is sent, and may repeat that. */
export function secretsIn(target: Telling): string[] {
  const passwords = [...passwordsInHeaders(target.headers), ...passwordInUrl(target.url)]
  const spoken = passwords.map((password, index) => [`password ${index}`, password])
  return secretsOf({ ...target, headers: { ...target.headers, ...Object.fromEntries(spoken) } })
}

function passwordsInHeaders(headers: Telling['headers'] = {}): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const encoded = isSecretName(name) && /^basic +(\S+)\s*$/i.exec(value)?.[1]
    if (!encoded) return []
    const bytes = Buffer.from(encoded, 'base64')
    return [passwordOf(bytes.toString('utf8')), passwordOf(bytes.toString('latin1'))]
  })
}

function passwordInUrl(url = ''): string[] {
  const { username, password } = URL.parse(url) ?? {}
  try {
    return [username, password].flatMap((part) => (part ? [decodeURIComponent(part)] : []))
  } catch {
    return []
  }
}

/** A user is no secret, except where a key stands in its place, with nothing or an `x` for a password. */
function passwordOf(credentials: string): string {
  const [user = '', ...password] = credentials.split(':')
  return password.join(':').length > 1 ? password.join(':') : user
}

/** What stands under names of secrets, where a path such as `$..*` does not say by which name it found something. */
export function hiddenFrom(path: string, document: unknown): Set<unknown> {
  const hidden = new Set<unknown>()
  if (!/[*?]|\.\./.test(path)) return hidden
  const inside: [value: unknown, secret: boolean][] = [[document, false]]
  for (let next = inside.pop(); next !== undefined; next = inside.pop()) {
    const [value, secret] = next
    if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) inside.push([part, secret || isSecretName(name)])
    }
    // True, false and null say nothing, and stand in many places.
    else if (secret && (typeof value === 'string' || typeof value === 'number')) hidden.add(value)
  }
  return hidden
}

/** A value as it may be quoted: what stands under the name of a secret is left out, and so is what is hidden. */
export function masked(value: unknown, hidden: Set<unknown>, depth = 0): unknown {
  if (hidden.has(value) || depth > DEEPEST) return REDACTED
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((part) => masked(part, hidden, depth + 1))
  const parts = Object.entries(value).map(([name, part]) => {
    return [name, isSecretName(name) ? REDACTED : masked(part, hidden, depth + 1)]
  })
  return Object.fromEntries(parts)
}
