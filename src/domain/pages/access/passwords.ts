import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Problem } from '../../kernel/errors.ts'

/** Hashes of passwords by argon2id, which takes time and memory by intention. */
export interface Passwords {
  hash(password: string): Promise<string>
  matches(password: string, stored: string): Promise<boolean>
}

/** 19 MiB, two passes and one lane: the least cost that OWASP names for argon2id, with about 30 ms. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const NONCE_BYTES = 16
const TAG_BYTES = 32
const AT_ONCE = 2
const MOST_WAITING = 50
const derive = promisify(argon2)

/** Few hashes are computed at once, because each one takes a thread of Node and its memory. */
export function openPasswords(): Passwords {
  const waiting: (() => void)[] = []
  let running = 0

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= AT_ONCE) {
      if (waiting.length >= MOST_WAITING) throw new Problem('unavailable', 'Too many passwords are being checked.')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      // The next one in the queue takes the place of this one.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  const compute = (password: string, nonce: Buffer) =>
    // The same letters can be typed as different characters.
    derive('argon2id', { ...cost, message: password.normalize('NFC'), nonce, tagLength: TAG_BYTES })

  return {
    async hash(password) {
      const nonce = randomBytes(NONCE_BYTES)
      const tag = await inTurn(() => compute(password, nonce))
      return `${prefix}${encoded(nonce)}$${encoded(tag)}`
    },
    async matches(password, stored) {
      if (!stored.startsWith(prefix)) return false
      const [nonce = '', tag = ''] = stored.slice(prefix.length).split('$')
      const given = await inTurn(() => compute(password, Buffer.from(nonce, 'base64')))
      const expected = Buffer.from(tag, 'base64')
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}

/** The format of PHC strings, so that another cost can be recognized later. */
const prefix = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`
const encoded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
