import { z } from 'zod'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { StatusEvent } from '../../persistence/entities/status-event.ts'
import { lockStatuses } from '../../persistence/hierarchy.ts'
import { eventsSince, recordRemoved } from '../../persistence/status-history.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { line, moment, momentOut, text } from '../kernel/schema.ts'
import { type Correction, causeOf, propagateCorrection } from './propagate-correction.ts'
import type { Course } from './propagate-correction-rules.ts'
import { statusEventSubject } from './status-events.ts'

const upwards =
  'The parents follow: where the status of a parent was computed from its children and its own impacts, it is computed again.'

export const correctStatusEvent = operation({
  name: 'status_events.time',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Correct when a status event happened',
  description: `The order of the events of an item stays: the time must lie between the previous and the next event. Uptime follows. ${upwards} Events of the parents with the same cause move too, with the same note; an event that no longer changes the status is removed, and the audit keeps it.`,
  subject: statusEventSubject,
  input: z.strictObject({ event_time: moment().nullable(), correction_note: line(1000).nullable().optional() }),
  output: z
    .strictObject({
      event_id: z.int(),
      corrected_by: z.int().nullable(),
      message: z.string(),
      new_time: momentOut().nullable(),
    })
    .meta({ id: 'StatusEventCorrection' }),
  run: async (ctx, { event_time, correction_note = null }, event) => {
    await lockStatuses(ctx.tx, ctx.page.id)
    // Without a time the event gets its original time.
    const time = event_time === null ? event.original_event_time : new Date(event_time)
    await requireOrder(ctx, event, time)
    const [since, until] = [event.event_time, time].sort((a, b) => a.getTime() - b.getTime()) as [Date, Date]
    const was = await courseOf(ctx, event, { since, until })
    const corrected_by = ctx.actor.kind === 'token' ? ctx.actor.id : null
    Object.assign(event, { event_time: time, corrected_at: ctx.now, corrected_by, correction_note })
    await ctx.tx.flush()
    const mark = { at: ctx.now, by: corrected_by, note: correction_note }
    const is = await courseOf(ctx, event, { since, until })
    const times = { from: since.getTime(), to: until.getTime(), open: false }
    await propagate(ctx, event, { id: event.item_id, was, is, ...times }, mark)
    const new_time = time.toISOString()
    return { event_id: event.id, corrected_by, message: `The status event now has the time ${new_time}.`, new_time }
  },
})

export const deleteStatusEvent = operation({
  name: 'status_events.delete',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Delete a status event that never happened',
  description: `The audit keeps the deleted event with the reason and with the removed events of the parents. Uptime follows. The \`previous_status\` of the next event changes; after the newest event a new event with the cause \`correction\` records the current status if it differs. ${upwards}`,
  subject: statusEventSubject,
  input: z.strictObject({ reason: text(1000).default('') }),
  output: z
    .strictObject({ event_id: z.int(), message: z.string(), reason: z.string() })
    .meta({ id: 'StatusEventDeletion' }),
  run: async (ctx, { reason }, event) => {
    const { tx } = ctx
    await lockStatuses(tx, ctx.page.id)
    const { before, after } = await neighbours(ctx, event)
    const since = event.event_time
    // A request that waited for the lock can have an earlier time than an event that was written meanwhile.
    const until = after?.event_time ?? (ctx.now > since ? ctx.now : since)
    const was = await courseOf(ctx, event, { since, until })
    await recordRemoved(tx, [event.id], ctx.now)
    tx.remove(event)
    if (after) after.previous_status = event.previous_status
    else await recordCurrentStatus(ctx, event, before?.status ?? event.previous_status, until)
    await tx.flush()
    const is = await courseOf(ctx, event, { since, until })
    const times = { from: since.getTime(), to: until.getTime(), open: !after }
    await propagate(ctx, event, { id: event.item_id, was, is, ...times })
    if (reason) ctx.auditExtras.after.reason = reason
    return { event_id: event.id, message: 'The status event is deleted.', reason }
  },
})

/** After the newest event was deleted: records the current status of the item if the remaining events end differently. */
async function recordCurrentStatus(
  { tx, page }: Context,
  event: StatusEvent,
  recorded: string,
  at: Date,
): Promise<void> {
  const { status } = await tx.findOneOrFail(HierarchyItem, { id: event.item_id })
  if (status === recorded) return
  const { kind, id } = causeOf(event)
  tx.create(StatusEvent, {
    ...{ page_id: page.id, item_id: event.item_id, status, previous_status: recorded },
    ...{ event_time: at, original_event_time: at, cause_kind: kind, cause_id: id },
    ...{ corrected_at: null, corrected_by: null, correction_note: null },
  })
}

/** The recorded statuses of the item in this time. */
async function courseOf({ tx, now }: Context, { item_id, previous_status }: StatusEvent, time: Times): Promise<Course> {
  const [known] = await eventsSince(tx, [item_id], { ...time, now })
  return { first: known?.before ?? previous_status, steps: known?.events ?? [] }
}

type Times = Record<'since' | 'until', Date>
type Item = Parameters<typeof propagateCorrection>[1]

async function propagate(ctx: Context, event: StatusEvent, item: Item, mark?: Correction['mark']): Promise<void> {
  const cause = { kind: event.cause_kind, id: event.cause_id }
  const { tx, page, now } = ctx
  const changes = await propagateCorrection(tx, item, { pageId: page.id, now, event: { id: event.id, cause }, mark })
  if (!changes || changes.before.length + changes.after.length === 0) return
  ctx.auditExtras.before.above = changes.before
  ctx.auditExtras.after.above = changes.after
}

/** The events before and after. Events of the same time are in the order of writing. */
async function neighbours({ tx }: Context, { id, item_id, event_time: at }: StatusEvent) {
  const neighbour = (side: '$lt' | '$gt', towards: '$lte' | '$gte', order: 'desc' | 'asc') =>
    tx.findOne(
      StatusEvent,
      { item_id, event_time: { [towards]: at }, $or: [{ event_time: { [side]: at } }, { id: { [side]: id } }] },
      { orderBy: [{ event_time: order }, { id: order }] },
    )
  return { before: await neighbour('$lt', '$lte', 'desc'), after: await neighbour('$gt', '$gte', 'asc') }
}

async function requireOrder(ctx: Context, event: StatusEvent, time: Date): Promise<void> {
  const { before, after } = await neighbours(ctx, event)
  const refuse = (message: string) => invalid([{ path: 'event_time', message }])
  if (time > ctx.now) throw refuse('must not lie in the future')
  const order = (other: StatusEvent) => time.getTime() - other.event_time.getTime() || event.id - other.id
  if (before && order(before) < 0)
    throw refuse(`must not lie before the previous event, ${before.event_time.toISOString()}`)
  if (after && order(after) > 0) throw refuse(`must not lie after the next event, ${after.event_time.toISOString()}`)
}
