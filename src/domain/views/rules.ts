/** Who may read a view, and how it is named. Pure: no clock, no database. */

export const accessModes = ['public', 'verified_email', 'allowed_domains', 'allowed_emails'] as const
type AccessMode = (typeof accessModes)[number]

export interface ViewAccess {
  access_mode: AccessMode
  /** In lower case. */
  allowed_domains: string[]
  allowed_emails: string[]
}

/** Whether a proved email address may read the view. */
export function mayRead({ access_mode, allowed_domains, allowed_emails }: ViewAccess, email: string): boolean {
  const address = email.toLowerCase()
  switch (access_mode) {
    case 'public':
    case 'verified_email':
      return true
    case 'allowed_domains':
      return allowed_domains.includes(address.slice(address.lastIndexOf('@') + 1))
    case 'allowed_emails':
      return allowed_emails.includes(address)
  }
}

/** Without characters that are easily confused. */
const CODE_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
export const SHORT_CODE_LENGTH = 8

/** A short code from random bytes, of which there are as many as the code has characters. */
export const shortCodeOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]).join('')

export const ALIAS = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])$/

/** Whether a text can be a short code or an alias. */
export const isViewCode = (text: string): boolean => ALIAS.test(text.toLowerCase())

/** Six digits from a signature, which only the service can compute. */
export function digitsOf(signature: string): string {
  const value = Buffer.from(signature, 'base64url').readUIntBE(0, 6)
  return String(value % 1_000_000).padStart(6, '0')
}

export const CODE_MS = 10 * 60 * 1000
export const MOST_TRIES = 5

/** How many codes with attempts left one address can have at a view, and how many in ten minutes: more requests send nothing. */
export const MOST_OPEN_CODES = 3
export const MOST_CODES = 10

/** Whether readers get the view at all. */
export const isOffered = ({ enabled, expires_at }: { enabled: boolean; expires_at: Date | null }, now: Date): boolean =>
  enabled && (expires_at === null || expires_at > now)
