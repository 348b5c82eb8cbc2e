const MOST_ANSWERS = 500
const MOST_BYTES = 8_000_000
/** A longer answer, such as the history of a thousand items, has limits of its own: one must not drop all short answers. */
const LONG_BYTES = 1_000_000
const MOST_LONG_BYTES = 32_000_000

/** Drops the answers of a page with the oldest requests until short and long answers are each within their limits. */
export function dropOldest<E>(entries: Map<string, E>, bytesOf: (entry: E) => number): void {
  dropOldestOf(entries, { bytesOf, isOfKind: (bytes) => bytes <= LONG_BYTES, mostBytes: MOST_BYTES })
  dropOldestOf(entries, { bytesOf, isOfKind: (bytes) => bytes > LONG_BYTES, mostBytes: MOST_LONG_BYTES })
}

interface Kind<E> {
  bytesOf: (entry: E) => number
  isOfKind: (bytes: number) => boolean
  mostBytes: number
}

/** The newest one stays, whatever its size. */
function dropOldestOf<E>(entries: Map<string, E>, { bytesOf, isOfKind, mostBytes }: Kind<E>): void {
  const kind = [...entries].filter(([, entry]) => isOfKind(bytesOf(entry)))
  let count = kind.length
  let size = kind.reduce((sum, [, entry]) => sum + bytesOf(entry), 0)
  for (const [key, entry] of kind) {
    if (count <= 1 || (count <= MOST_ANSWERS && size <= mostBytes)) return
    entries.delete(key)
    count -= 1
    size -= bytesOf(entry)
  }
}
