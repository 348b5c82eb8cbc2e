import type { EntityManager } from '@mikro-orm/postgresql'
import { lockStatuses, withAncestors } from '../../persistence/hierarchy.ts'
import { eventsSince, rewriteEvents } from '../../persistence/status-history.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { operationalStatus, worst } from '../vocabulary/rules.ts'
import { type Held, heldUpwards, withPast } from './history-rules.ts'
import { refreshLoaded } from './statuses.ts'

interface Past {
  pageId: number
  now: Date
  cause: { kind: string; id: number }
  itemIds: number[]
  held: Held[]
  /** The items whose history changes; absent for all that the impact reaches. */
  only?: { has(id: number): boolean }
  /** Whether a notification is written for each item with a new status. */
  notify: boolean
}

/**
 * Writes past impacts into the status events of items and of their parents. A parent is at each moment at least as bad as its
 * children, so that the worse of the recorded and the added status is right for parents too.
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
  await refreshLoaded(tx, [...tree.keys()])
}
