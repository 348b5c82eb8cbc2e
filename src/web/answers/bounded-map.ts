interface Bounds<T> {
  maxCount: number
  maxBytes: number
  bytesOf(key: string, value: T): number
}

/** A map that drops the entries that were set first when they become too many or too large. */
export function boundedMap<T>({ maxCount, maxBytes, bytesOf }: Bounds<T>) {
  const entries = new Map<string, T>()
  let bytes = 0

  function remove(key: string): void {
    const value = entries.get(key)
    if (value === undefined) return
    entries.delete(key)
    bytes -= bytesOf(key, value)
  }

  return {
    get: (key: string) => entries.get(key),
    remove,
    set(key: string, value: T): void {
      remove(key)
      entries.set(key, value)
      bytes += bytesOf(key, value)
      for (const oldest of entries.keys()) {
        if (entries.size <= maxCount && bytes <= maxBytes) return
        remove(oldest)
      }
    },
    get size() {
      return entries.size
    },
  }
}
