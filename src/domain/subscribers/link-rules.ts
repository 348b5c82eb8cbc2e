/** What a link permits. A link of one purpose is of no use for another. */
export const purposes = ['confirm', 'manage', 'unsubscribe'] as const
export type Purpose = (typeof purposes)[number]

export interface Link {
  purpose: Purpose
  pageId: number
  subscriberId: number
  /** Null: the link ends with its subscriber. */
  expiresAt: Date | null
  /** Of `confirm`: which confirmation mail has the link. Otherwise 0. */
  number: number
  /** Of the address: after a restore of the database another address may have the number of the subscriber. */
  mark: number
}

const MINUTE_MS = 60_000
const lifetimes: Record<Purpose, number | null> = {
  confirm: 7 * 24 * 60 * MINUTE_MS,
  manage: 30 * MINUTE_MS,
  unsubscribe: null,
}

export function expiryOf(purpose: Purpose, now: Date): Date | null {
  const lifetime = lifetimes[purpose]
  return lifetime === null ? null : new Date(now.getTime() + lifetime)
}

const BYTES = 21

/** The facts of a link in a few URL-safe characters. */
export function writeLink({ purpose, pageId, subscriberId, expiresAt, number, mark }: Link): string {
  const bytes = Buffer.alloc(BYTES)
  bytes.writeUInt8(purposes.indexOf(purpose))
  const seconds = expiresAt === null ? 0 : Math.ceil(expiresAt.getTime() / 1000)
  for (const [index, value] of [pageId, subscriberId, seconds, number, mark].entries()) {
    bytes.writeUInt32BE(value, 1 + 4 * index)
  }
  return bytes.toString('base64url')
}

/** The facts of a link that `writeLink` wrote; undefined for any other text. */
export function parseLink(text: string): Link | undefined {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== BYTES || bytes.toString('base64url') !== text) return undefined
  const purpose = purposes[bytes.readUInt8()]
  if (!purpose) return undefined
  const [pageId, subscriberId, seconds, number, mark] = [1, 5, 9, 13, 17].map((at) =>
    bytes.readUInt32BE(at),
  ) as number[]
  const expiresAt = seconds === 0 ? null : new Date(seconds! * 1000)
  return { purpose, pageId: pageId!, subscriberId: subscriberId!, expiresAt, number: number!, mark: mark! }
}
