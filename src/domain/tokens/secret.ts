import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * `upb_<prefix>_<secret><crc>`. The prefix finds the row, the hash of the whole token proves it, and the checksum detects a
 * mistyped token without a query.
 */
const PATTERN = /^upb_([a-z0-9]{10})_([A-Za-z0-9]{40})([0-9a-f]{8})$/
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

export interface NewToken {
  token: string
  prefix: string
  hash: string
}

export function makeToken(): NewToken {
  const prefix = letters(10)
  const body = `upb_${prefix}_${letters(40)}`
  const token = body + checksum(body)
  return { token, prefix, hash: hashOf(token) }
}

/** The prefix of a text in the format of a token. */
export function prefixOf(token: string): string | undefined {
  const match = PATTERN.exec(token)
  if (!match || checksum(token.slice(0, -8)) !== match[3]) return undefined
  return match[1]
}

export function matches(token: string, hash: string): boolean {
  const given = Buffer.from(hashOf(token))
  const stored = Buffer.from(hash)
  return given.length === stored.length && timingSafeEqual(given, stored)
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(8, '0')
}

function letters(count: number): string {
  let result = ''
  while (result.length < count) {
    // Bytes past the last multiple of the alphabet's length would favour its first letters.
    for (const byte of randomBytes(count)) if (byte < 252 && result.length < count) result += ALPHABET[byte % 36]
  }
  return result
}
