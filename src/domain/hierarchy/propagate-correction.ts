import type { EntityManager } from '@mikro-orm/postgresql'
import { withAncestors } from '../../persistence/hierarchy.ts'
import {
  type CorrectedBy,
  eventsSince,
  moveEvents,
  recordRemoved,
  removeEvents,
  rewriteEvents,
  withChildren,
} from '../../persistence/status-history.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { operationalStatus, worst } from '../vocabulary/rules.ts'
import type { Held } from './history-rules.ts'
import { impactStatuses } from './impact-status.ts'
import { type Course, correctedEvents, parentCourse, statusAt } from './propagate-correction-rules.ts'

interface Cause {
  kind: string
  id: number | null
}

export interface Correction {
  pageId: number
  now: Date
  /** The event that was corrected or deleted. */
  event: { id: number; cause: Cause }
  /** The mark of moved events; without a mark no event moves, but events are removed and added. */
  mark?: CorrectedBy
}

interface Corrected {
  id: number
  /** The recorded statuses between `from` and `to`, before and after the correction. */
  was: Course
  is: Course
  from: number
  to: number
  /** The time has no end: it ends at the current statuses. */
  open: boolean
}

type Known = Awaited<ReturnType<typeof eventsSince>>[number]

export const causeOf = ({ id }: { id: number }): Cause => ({ kind: 'correction', id })

/**
 * Applies a correction of an item to its parents, from below: see `docs/decisions/0005`. Returns the changed events of the
 * parents for the audit. The caller holds the lock of the statuses and has written the correction.
 */
export async function propagateCorrection(tx: EntityManager, item: Corrected, correction: Correction) {
  const { from, to, open } = item
  const tree = await withAncestors(tx, [item.id])
  const above = [...tree.keys()].filter((id) => id !== item.id)
  if (above.length === 0 || from >= to) return undefined
  const types = await statusTypes(tx)
  const first = operationalStatus(types)
  const worstOf = (list: string[]) => worst(types, list)
  const window = { since: new Date(from), until: new Date(to), now: correction.now }
  const known = await eventsSince(tx, await withChildren(tx, above), window)
  const byId = new Map(known.map((one) => [one.id, one]))
  const families = Map.groupBy(known, (one) => one.parent_id)
  const held = await impactStatuses(tx, above, item)
  const courseOf = ({ before, events }: Known): Course => ({ first: before ?? first, steps: events })
  const reaching = (child: Known, course: Course) => endedAt(course, child.archivedFrom, first)

  const changes = []
  let [child, was, is] = [byId.get(item.id), item.was, item.is]
  while (child && child.parent_id !== null) {
    const below = child
    const parent: Known = byId.get(child.parent_id)!
    const others = families.get(parent.id)!.filter(({ id }) => id !== below.id)
    const recorded = courseOf(parent)
    const family = {
      ...{ from, to, was: reaching(child, was), is: reaching(child, is) },
      others: [
        ...others.map((one) => reaching(one, courseOf(one))),
        ...(held.get(parent.id) ?? []).map((one) => courseOfHeld(one, first)),
      ],
      closed: parent.closedFrom ?? Number.POSITIVE_INFINITY,
    }
    const wanted = parentCourse(recorded, family, worstOf)
    if (!wanted) break
    const events = parent.events.map((event) => ({ ...event, sameCause: hasSameCause(event, correction.event) }))
    const end = open ? parent.status : statusAt(recorded, to)
    const change = correctedEvents(
      { first: recorded.first, events, wanted, to, end, moves: Boolean(correction.mark) },
      worstOf,
    )
    changes.push({ id: parent.id, ...change })
    child = parent
    was = recorded
    is = { ...wanted, steps: [...wanted.steps, { at: to, status: end }] }
  }
  await write(tx, changes, correction)
  return auditOf(changes, known)
}

const courseOfHeld = ({ from, to, status }: Held, first: string): Course => ({
  first,
  steps: [
    { at: from, status },
    { at: to, status: first },
  ],
})

/** An archived item does not affect its parent. */
function endedAt(course: Course, end: number | undefined, first: string): Course {
  if (end === undefined) return course
  return { ...course, steps: [...course.steps.filter(({ at }) => at < end), { at: end, status: first }] }
}

/** Whether an event has the cause of the corrected event, or came from an earlier correction of that event. */
function hasSameCause(
  { cause_kind: kind, cause_id }: Known['events'][number],
  { id, cause }: Correction['event'],
): boolean {
  return [cause, causeOf({ id })].some((one) => one.kind === kind && one.id === cause_id)
}

type Change = { id: number } & ReturnType<typeof correctedEvents>

async function write(tx: EntityManager, changes: Change[], { pageId, now, event, mark }: Correction): Promise<void> {
  const removed = changes.flatMap((change) => change.removed.map(({ id }) => id))
  await recordRemoved(tx, removed, now)
  await removeEvents(tx, removed)
  if (mark) {
    await moveEvents(
      tx,
      changes.flatMap(({ moved }) => moved),
      mark,
    )
  }
  await rewriteEvents(tx, { pageId, now, cause: causeOf(event), items: changes })
}

/** For the audit: the removed and moved events of the parents before the change, and the moved and added events after it. */
function auditOf(changes: Change[], known: Known[]) {
  const events = new Map(known.flatMap((item) => item.events.map((event) => [event.id, event])))
  const shown = (item_id: number, { at, status }: { at: number; status: string }, id?: number) => ({
    ...{ id, item_id, status, event_time: new Date(at).toISOString() },
  })
  return {
    before: changes.flatMap(({ id: item, moved, removed }) =>
      [...moved, ...removed].map(({ id }) => {
        const { cause_kind: kind, cause_id, previous_status, ...event } = events.get(id)!
        return { ...shown(item, event, id), previous_status, cause: { kind, id: cause_id ?? undefined } }
      }),
    ),
    after: changes.flatMap(({ id: item, moved, added }) => [
      ...moved.map((event) => shown(item, event, event.id)),
      ...added.map((event) => shown(item, event)),
    ]),
  }
}
