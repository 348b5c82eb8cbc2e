import { createHash } from 'node:crypto'

/** JSON with sorted keys and without absent values: equal requests become equal strings. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

export function fingerprint(value: unknown): string {
  return createHash('sha256')
    .update(canonical(value) ?? '')
    .digest('base64url')
}
