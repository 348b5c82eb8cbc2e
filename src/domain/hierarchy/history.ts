import type { EntityManager } from '@mikro-orm/postgresql'
import { lockStatuses, withAncestors } from '../../persistence/hierarchy.ts'
import { eventsSince, rewriteEvents } from '../../persistence/status-history.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { worst } from '../vocabulary/rules.ts'
import { type Held, withPast } from './history-rules.ts'
import { readAgain } from './statuses.ts'

interface Past {
  pageId: number
  now: Date
  cause: { kind: string; id: number }
  itemIds: number[]
  held: Held[]
}

/**
 * Writes into the history of items, and of all above them, that they were held down. Those above were at least as bad as
 * what is below them at each moment, so that the worse of what was known and what is added is right for them, too.
 */
export async function rewritePast(tx: EntityManager, { pageId, now, cause, itemIds, held }: Past): Promise<void> {
  if (itemIds.length === 0 || held.length === 0) return
  await tx.flush()
  await lockStatuses(tx, pageId)
  const types = await statusTypes(tx)
  const ids = [...(await withAncestors(tx, itemIds)).keys()]
  const since = new Date(Math.min(...held.map(({ from }) => from)))
  const items = (await eventsSince(tx, ids, since)).map(({ id, status, before, events }) => {
    const first = before ?? events[0]?.previous_status ?? status
    const { added, followed, last } = withPast(events, first, held, (list) => worst(types, list))
    const goesOn = held.some(({ to }) => to === Number.POSITIVE_INFINITY)
    return { id, added, followed, status: goesOn && last !== status ? last : undefined }
  })
  await rewriteEvents(tx, { pageId, now, cause, items })
  await readAgain(tx, ids)
}
