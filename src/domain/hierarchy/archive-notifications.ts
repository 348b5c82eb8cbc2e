import type { EntityManager } from '@mikro-orm/postgresql'
import { eventsSince, removeEvents, rewriteEvents } from '../../persistence/status-history.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { operationalStatus, worst } from '../vocabulary/rules.ts'
import { impactStatuses } from './impact-status.ts'
import { correctedEvents, inOrder } from './propagate-correction-rules.ts'

/**
 * Adds status events for the time that an item was archived, from its incidents and maintenances: the status of an archived
 * item does not change. Expects the current status of the item to be computed.
 */
export async function applyArchivedTime(
  tx: EntityManager,
  item: { id: number; status: string },
  { pageId, now, since }: { pageId: number; now: Date; since: Date },
): Promise<void> {
  const [from, to] = [since.getTime(), now.getTime()]
  const [known] = await eventsSince(tx, [item.id], { since, now })
  if (!known || from >= to) return
  const types = await statusTypes(tx)
  const worstOf = (list: string[]) => worst(types, list)
  const held = (await impactStatuses(tx, [item.id], { from, to })).get(item.id) ?? []
  const times = inOrder([from, ...held.flatMap((one) => [one.from, one.to])]).filter((at) => from <= at && at < to)
  const steps = times.map((at) => ({
    at,
    status: worstOf(held.filter((one) => one.from <= at && at < one.to).map(({ status }) => status)),
  }))
  // Events at the moment of archiving belong to the time before.
  const [earlier, events] = [known.events.filter(({ at }) => at <= from), known.events.filter(({ at }) => at > from)]
  const first = earlier.at(-1)?.status ?? known.before ?? operationalStatus(types)
  const change = correctedEvents(
    {
      ...{ first, to, end: item.status, wanted: { first, steps }, moves: false },
      events: events.map((event) => ({ ...event, sameCause: true })),
    },
    worstOf,
  )
  await removeEvents(
    tx,
    change.removed.map(({ id }) => id),
  )
  await rewriteEvents(tx, { pageId, now, cause: { kind: 'item', id: item.id }, items: [{ id: item.id, ...change }] })
}
