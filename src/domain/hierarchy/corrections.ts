import { z } from 'zod'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { StatusEvent } from '../../persistence/entities/status-event.ts'
import { lockStatuses } from '../../persistence/hierarchy.ts'
import { eventsSince } from '../../persistence/status-history.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { line, moment, momentOut, text } from '../kernel/schema.ts'
import { type Correction, causeOf, propagateCorrection } from './propagate-correction.ts'
import type { Course } from './propagate-correction-rules.ts'
import { statusEventSubject } from './status-events.ts'

const upwards =
  'The items above follow: where they were what their children and their own impacts made of them, they are what those make of them now.'

export const correctStatusEvent = operation({
  name: 'status_events.time',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Correct when a status event happened',
  description: `The order of the events of an item stays: the time must lie between its neighbours. Uptime follows. ${upwards} Their events of the same cause move along, with the same note; one that has nothing to tell any more goes, and the audit keeps it.`,
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
    // Without a time the event goes back to when it was first recorded.
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
    await carry(ctx, event, { id: event.item_id, was, is, ...times }, mark)
    const new_time = time.toISOString()
    return { event_id: event.id, corrected_by, message: `It happened at ${new_time}.`, new_time }
  },
})

export const deleteStatusEvent = operation({
  name: 'status_events.delete',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Delete a status event that never happened',
  description: `The audit keeps it, with the reason, and with the events above that went with it. Uptime follows. The next event follows what is told still; after the newest, where that is not the status that the item has, an event of now says so, of the cause \`correction\`. ${upwards}`,
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
    // Somebody who waited for the lock may come with an earlier moment than the event that was written meanwhile.
    const until = after?.event_time ?? (ctx.now > since ? ctx.now : since)
    const was = await courseOf(ctx, event, { since, until })
    tx.remove(event)
    if (after) after.previous_status = event.previous_status
    else await agree(ctx, event, before?.status ?? event.previous_status, until)
    await tx.flush()
    const is = await courseOf(ctx, event, { since, until })
    const times = { from: since.getTime(), to: until.getTime(), open: !after }
    await carry(ctx, event, { id: event.item_id, was, is, ...times })
    if (reason) ctx.auditExtras.after.reason = reason
    return { event_id: event.id, message: 'The status event is deleted.', reason }
  },
})

/** Without its newest event an item may be told of as something else than it is: from now on it is told of as it is. */
async function agree({ tx, page }: Context, event: StatusEvent, told: string, at: Date): Promise<void> {
  const { status } = await tx.findOneOrFail(HierarchyItem, { id: event.item_id })
  if (status === told) return
  const { kind, id } = causeOf(event)
  tx.create(StatusEvent, {
    ...{ page_id: page.id, item_id: event.item_id, status, previous_status: told },
    ...{ event_time: at, original_event_time: at, cause_kind: kind, cause_id: id },
    ...{ corrected_at: null, corrected_by: null, correction_note: null },
  })
}

/** What the events of the item tell of this time, as it is written. */
async function courseOf({ tx, now }: Context, { item_id, previous_status }: StatusEvent, time: Times): Promise<Course> {
  const [known] = await eventsSince(tx, [item_id], { ...time, now })
  return { first: known?.before ?? previous_status, steps: known?.events ?? [] }
}

type Times = Record<'since' | 'until', Date>
type Item = Parameters<typeof propagateCorrection>[1]

async function carry(ctx: Context, event: StatusEvent, item: Item, mark?: Correction['mark']): Promise<void> {
  const cause = { kind: event.cause_kind, id: event.cause_id }
  const { tx, page, now } = ctx
  const told = await propagateCorrection(tx, item, { pageId: page.id, now, event: { id: event.id, cause }, mark })
  if (!told || told.before.length + told.after.length === 0) return
  ctx.auditExtras.before.above = told.before
  ctx.auditExtras.after.above = told.after
}

/** Events of one time are in the order in which they were written. */
async function neighbours({ tx }: Context, { id, item_id, event_time: at }: StatusEvent) {
  const beside = (side: '$lt' | '$gt', towards: '$lte' | '$gte', order: 'desc' | 'asc') =>
    tx.findOne(
      StatusEvent,
      { item_id, event_time: { [towards]: at }, $or: [{ event_time: { [side]: at } }, { id: { [side]: id } }] },
      { orderBy: [{ event_time: order }, { id: order }] },
    )
  return { before: await beside('$lt', '$lte', 'desc'), after: await beside('$gt', '$gte', 'asc') }
}

async function requireOrder(ctx: Context, event: StatusEvent, time: Date): Promise<void> {
  const { before, after } = await neighbours(ctx, event)
  const refuse = (message: string) => invalid([{ path: 'event_time', message }])
  if (time > ctx.now) throw refuse('must not lie in the future')
  const order = (other: StatusEvent) => time.getTime() - other.event_time.getTime() || event.id - other.id
  if (before && order(before) < 0)
    throw refuse(`must not lie before ${before.event_time.toISOString()}, the event before`)
  if (after && order(after) > 0) throw refuse(`must not lie behind ${after.event_time.toISOString()}, the event after`)
}
