import { timingSafeEqual } from 'node:crypto'
import { hashOf, tokenFormat } from '../kernel/token-format.ts'

/** The prefix finds the row of a token. */
const { make, prefixOf } = tokenFormat('upb')

export { make as makeToken, prefixOf }

export function matches(token: string, hash: string): boolean {
  const given = Buffer.from(hashOf(token))
  const stored = Buffer.from(hash)
  return given.length === stored.length && timingSafeEqual(given, stored)
}
