import type { Keyring } from '../kernel/keyring.ts'
import { digitsOf } from './rules.ts'

/** The code of a request for access. Nothing is stored: only the service can compute the code. */
export const codeOf = (keyring: Keyring, requestId: number): string =>
  digitsOf(keyring.sign(`access request ${requestId}`, 'codes for views'))

/** What proves an address to a view until a moment. */
const contextOf = (viewId: number) => `readers of view ${viewId}`

export function proofOf(keyring: Keyring, viewId: number, email: string, until: Date): string {
  const facts = `${Math.floor(until.getTime() / 1000)}.${Buffer.from(email).toString('base64url')}`
  return `${facts}.${keyring.sign(facts, contextOf(viewId))}`
}

/** The address that a proof proves; undefined for any other text, and after its end. */
export function provedBy(keyring: Keyring, viewId: number, proof: string, now: Date): string | undefined {
  const [, facts = '', seconds, email = '', signature = ''] =
    /^((\d{1,12})\.([\w-]{1,400}))\.([\w-]{1,100})$/.exec(proof) ?? []
  if (Number(seconds) * 1000 <= now.getTime()) return undefined
  if (facts === '' || !keyring.verify(facts, contextOf(viewId), signature)) return undefined
  return Buffer.from(email, 'base64url').toString()
}
