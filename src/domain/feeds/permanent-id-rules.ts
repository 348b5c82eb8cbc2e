import { createHash } from 'node:crypto'

/** The page that an id belongs to. Both values stay the same over changes, restarts and restores. */
export interface IdentifiedPage {
  id: number
  created_at: string
}

/** The id of an entry or of a feed for all time, made of facts that never change. A UUID of version 8, as in RFC 9562. */
export function permanentId({ id, created_at }: IdentifiedPage, kind: string, name: number | string): string {
  const facts = JSON.stringify([id, created_at, kind, name])
  const bytes = createHash('sha256').update(facts).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const uuid = bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return `urn:uuid:${uuid}`
}
