import { createHash, randomBytes } from 'node:crypto'

const PREFIX = 'uph_'
const BYTES = 20
const PATTERN = new RegExp(`^${PREFIX}[0-9a-f]{${BYTES * 2}}$`)

/** `uph_` and 160 random bits: whoever finds one somewhere knows whose it is. */
export const newToken = () => PREFIX + randomBytes(BYTES).toString('hex')

/** What the row is found by; nothing for what cannot be one of our tokens. */
export function hashOf(token: string): string | undefined {
  return PATTERN.test(token) ? createHash('sha256').update(token).digest('base64url') : undefined
}
