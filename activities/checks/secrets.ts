import { isSecretName, secretsOf, type Telling } from '../../src/outbound/secret-rules.ts'

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
