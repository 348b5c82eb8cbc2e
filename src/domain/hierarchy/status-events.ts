import { z } from 'zod'
import { StatusEvent } from '../../persistence/entities/status-event.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { line, moment, momentOut, text } from '../kernel/schema.ts'
import { recordSubject } from '../kernel/subject.ts'
import { itemSubject } from './subject.ts'

const MOST_EVENTS = 1000

const StatusEventResource = z
  .strictObject({
    id: z.int(),
    item_id: z.int(),
    status: z.string(),
    previous_status: z.string(),
    event_time: momentOut(),
    original_event_time: momentOut(),
    cause: z.strictObject({ kind: z.string(), id: z.int().optional() }),
    corrected_at: momentOut().nullable(),
    corrected_by: z.int().nullable().describe('The token that corrected it'),
    correction_note: z.string().optional(),
  })
  .meta({ id: 'StatusEvent' })

function present(event: StatusEvent) {
  return {
    id: event.id,
    item_id: event.item_id,
    status: event.status,
    previous_status: event.previous_status,
    event_time: event.event_time.toISOString(),
    original_event_time: event.original_event_time.toISOString(),
    cause: { kind: event.cause_kind, id: event.cause_id ?? undefined },
    corrected_at: event.corrected_at?.toISOString() ?? null,
    corrected_by: event.corrected_by,
    correction_note: event.correction_note ?? undefined,
  }
}

const subject = recordSubject('status event', StatusEvent, present)

export const listStatusEvents = operation({
  name: 'status_events.list',
  area: 'hierarchy',
  permission: 'read',
  summary: 'List the status events of an item, newest first',
  description: `At most ${MOST_EVENTS}: narrow the time for more.`,
  subject: itemSubject,
  input: z.strictObject({ start_time: moment().optional(), end_time: moment().optional() }),
  output: z
    .strictObject({
      count: z.int(),
      item_id: z.int(),
      start_time: momentOut().nullable(),
      end_time: momentOut().nullable(),
      events: z.array(StatusEventResource),
    })
    .meta({ id: 'StatusEventList' }),
  run: async ({ tx }, { start_time, end_time }, item) => {
    const from = start_time === undefined ? undefined : new Date(start_time)
    const to = end_time === undefined ? undefined : new Date(end_time)
    const events = await tx.find(
      StatusEvent,
      { item_id: item.id, event_time: { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) } },
      { orderBy: [{ event_time: 'desc' }, { id: 'desc' }], limit: MOST_EVENTS },
    )
    return {
      count: events.length,
      item_id: item.id,
      start_time: from?.toISOString() ?? null,
      end_time: to?.toISOString() ?? null,
      events: events.map(present),
    }
  },
})

export const correctStatusEvent = operation({
  name: 'status_events.time',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Correct when a status event happened',
  description: 'The order of the events of an item stays: the time must lie between its neighbours. Uptime follows.',
  subject,
  input: z.strictObject({ event_time: moment().nullable(), correction_note: line(1000) }),
  output: z
    .strictObject({
      event_id: z.int(),
      corrected_by: z.int().nullable(),
      message: z.string(),
      new_time: momentOut().nullable(),
    })
    .meta({ id: 'StatusEventCorrection' }),
  run: async (ctx, { event_time, correction_note }, event) => {
    // Without a time the event goes back to when it was first recorded.
    const time = event_time === null ? event.original_event_time : new Date(event_time)
    await requireOrder(ctx, event, time)
    event.event_time = time
    event.corrected_at = ctx.now
    event.corrected_by = ctx.actor.kind === 'token' ? ctx.actor.id : null
    event.correction_note = correction_note
    const new_time = time.toISOString()
    return { event_id: event.id, corrected_by: event.corrected_by, message: `It happened at ${new_time}.`, new_time }
  },
})

export const deleteStatusEvent = operation({
  name: 'status_events.delete',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Delete a status event that never happened',
  description:
    'The audit keeps it, with the reason. Uptime follows; the status of the item stays what it is, and the next event follows what is told still.',
  subject,
  input: z.strictObject({ reason: text(1000).default('') }),
  output: z
    .strictObject({ event_id: z.int(), message: z.string(), reason: z.string() })
    .meta({ id: 'StatusEventDeletion' }),
  run: async (ctx, { reason }, event) => {
    const { after } = await neighbours(ctx, event)
    if (after) after.previous_status = event.previous_status
    ctx.tx.remove(event)
    return { event_id: event.id, message: 'The status event is deleted.', reason }
  },
})

async function neighbours({ tx }: Context, { id, item_id }: StatusEvent) {
  const order = [{ event_time: 'asc' as const }, { id: 'asc' as const }]
  const events = await tx.find(StatusEvent, { item_id }, { orderBy: order })
  const index = events.findIndex((event) => event.id === id)
  return { before: events[index - 1], after: events[index + 1] }
}

async function requireOrder(ctx: Context, event: StatusEvent, time: Date): Promise<void> {
  const { before, after } = await neighbours(ctx, event)
  const refuse = (message: string) => invalid([{ path: 'event_time', message }])
  if (time > ctx.now) throw refuse('must not lie in the future')
  if (before && time < before.event_time)
    throw refuse(`must not lie before ${before.event_time.toISOString()}, the event before`)
  if (after && time > after.event_time)
    throw refuse(`must not lie behind ${after.event_time.toISOString()}, the event after`)
}
