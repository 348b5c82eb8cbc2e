import { bodyOf } from './bodies.ts'
import { isKept } from './kept-reads-rules.ts'
import type { StoredRead } from './snapshot-files.ts'

type Kept = Pick<StoredRead, 'headers' | 'at'>
interface Snapshot extends Kept {
  body: ReturnType<typeof bodyOf>
}

/** The answers of a page that are stored for a restart. */
export const storedReads = (entries: Iterable<[string, { snapshot?: Snapshot }]>): StoredRead[] =>
  [...entries].flatMap(([key, { snapshot }]) => {
    if (!snapshot || !isKept(key)) return []
    const { body, headers, at } = snapshot
    return [{ key, body: body.plain.toString(), headers, at }]
  })

/** A stored answer is never valid: the database is asked first. */
export function restored(pageId: number, { body, headers, at }: StoredRead) {
  const validity = { pageId, generation: -1, until: 0 }
  return { snapshot: { body: bodyOf(body), headers, validity, at } }
}
