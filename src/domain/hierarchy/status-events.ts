import { z } from 'zod'
import { StatusEvent } from '../../persistence/entities/status-event.ts'
import { invalid } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { moment, momentOut } from '../kernel/schema.ts'
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
    cause: z
      .strictObject({ kind: z.string(), id: z.int().optional() })
      .describe('`correction`: the correction or deletion of the event with this id wrote this event'),
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

export const statusEventSubject = recordSubject('status event', StatusEvent, present)

export const listStatusEvents = operation({
  name: 'status_events.list',
  area: 'hierarchy',
  permission: 'read',
  summary: 'List the status events of an item, newest first',
  description: `Answers at most ${MOST_EVENTS} events: use a shorter time for the others.`,
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
    if (from && to && from > to) throw invalid([{ path: 'start_time', message: 'must not lie after end_time' }])
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
