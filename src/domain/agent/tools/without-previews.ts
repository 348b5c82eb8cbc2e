/** Leaves out the beginnings of payloads of other systems, which only people who review an action need. */
export function withoutPreviews(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPreviews)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const kept = Object.entries(value).filter(([name]) => name !== 'payload_preview')
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutPreviews(inner)]))
}
