import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
const PREFIX = 10
const SECRET = 40
const CHECKSUM = 8

export interface NewToken {
  token: string
  prefix: string
  hash: string
}

/**
 * `<kind>_<prefix>_<secret><crc>`. The prefix names the token to people, the hash of the whole token proves it, and the
 * checksum detects a mistyped token without a query.
 */
export function tokenFormat(kind: string) {
  const pattern = new RegExp(`^${kind}_([a-z0-9]{${PREFIX}})_([A-Za-z0-9]{${SECRET}})([0-9a-f]{${CHECKSUM}})$`)
  return {
    make(): NewToken {
      const prefix = letters(PREFIX)
      const body = `${kind}_${prefix}_${letters(SECRET)}`
      const token = body + checksum(body)
      return { token, prefix, hash: hashOf(token) }
    },
    /** The prefix of a text in this format. */
    prefixOf(token: string): string | undefined {
      const match = pattern.exec(token)
      return match && checksum(token.slice(0, -CHECKSUM)) === match[3] ? match[1] : undefined
    },
  }
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

function checksum(body: string): string {
  return crc32(body).toString(16).padStart(CHECKSUM, '0')
}

function letters(count: number): string {
  let result = ''
  while (result.length < count) {
    // Bytes past the last multiple of the alphabet's length would favour its first letters.
    for (const byte of randomBytes(count)) if (byte < 252 && result.length < count) result += ALPHABET[byte % 36]
  }
  return result
}
