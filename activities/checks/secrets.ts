import { isSecretName, type SecretFields, secretsOf } from '../../src/outbound/secret-rules.ts'

/** Of each target that is checked again and again. */
const found = new WeakMap<object, string[]>()

/** The secret texts of a target, also in their decoded form: a target may decode the request and repeat a part. */
export function secretsIn(target: SecretFields): string[] {
  const known = found.get(target) ?? findSecrets(target)
  found.set(target, known)
  return known
}

function findSecrets(target: SecretFields): string[] {
  const passwords = [...passwordsInHeaders(target.headers), ...passwordInUrl(target.url)]
  const named = passwords.map((password, index) => [`password ${index}`, password])
  return secretsOf({ ...target, headers: { ...target.headers, ...Object.fromEntries(named) } })
}

function passwordsInHeaders(headers: SecretFields['headers'] = {}): string[] {
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

/** A user name is not a secret, unless the user name is a key whose password is empty or an `x`. */
function passwordOf(credentials: string): string {
  const [user = '', ...password] = credentials.split(':')
  return password.join(':').length > 1 ? password.join(':') : user
}
