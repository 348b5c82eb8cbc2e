import type { EntityManager } from '@mikro-orm/postgresql'
import { lockStatuses, withAncestors } from '../../persistence/hierarchy.ts'
import { eventsSince, rewriteEvents } from '../../persistence/status-history.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { operationalStatus, worst } from '../vocabulary/rules.ts'
import { type Held, heldUpwards, withPast } from './history-rules.ts'
import { readAgain } from './statuses.ts'

interface Past {
  pageId: number
  now: Date
  cause: { kind: string; id: number }
  itemIds: number[]
  held: Held[]
  /** The histories that this is about, if not all that it reaches. */
  only?: { has(id: number): boolean }
  /** Whether a notification event says that an item has another status now. */
  notify: boolean
}

/**
 * Writes into the history of items, and of all above them, that they were held down. Those above were at least as bad as
 * what is below them at each moment, so that the worse of what was known and what is added is right for them, too.
 */
export async function rewritePast(tx: EntityManager, past: Past): Promise<void> {
  const { pageId, now, cause, itemIds, held, only, notify } = past
  if (itemIds.length === 0 || held.length === 0) return
  await tx.flush()
  await lockStatuses(tx, pageId)
  const types = await statusTypes(tx)
  const tree = await withAncestors(tx, itemIds)
  const since = new Date(Math.min(...held.map(({ from }) => from)))
  const known = await eventsSince(tx, [...tree.keys()], { since, now })
  const reached = heldUpwards(tree, new Map(known.map(({ id, closedFrom }) => [id, closedFrom])), itemIds, held)
  const asked = known.filter(({ id }) => only?.has(id) ?? true)
  const items = asked.map(({ id, status, before, events }) => {
    const first = before ?? operationalStatus(types)
    const own = reached.get(id) ?? []
    const { added, followed, last } = withPast(events, first, own, (list) => worst(types, list))
    const goesOn = own.some(({ to }) => to === Number.POSITIVE_INFINITY)
    return { id, added, followed, status: goesOn && last !== status ? last : undefined }
  })
  await rewriteEvents(tx, { pageId, now, cause, items, notify })
  await readAgain(tx, [...tree.keys()])
}
