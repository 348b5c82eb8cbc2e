import { createHash, randomBytes } from 'node:crypto'

const PREFIX = 'uph_'
const BYTES = 20
const PATTERN = new RegExp(`^${PREFIX}[0-9a-f]{${BYTES * 2}}$`)

/** `uph_` and 160 random bits. The prefix identifies a leaked token as a token of this service. */
export const newToken = () => PREFIX + randomBytes(BYTES).toString('hex')

/** The hash by which the row of a heartbeat is found; undefined for a text that is not a token. */
export function hashOf(token: string): string | undefined {
  return PATTERN.test(token) ? createHash('sha256').update(token).digest('base64url') : undefined
}
