import { z } from 'zod'
import { HierarchyItemSummary } from '../../../hierarchy/schema.ts'
import { IncidentResource, PublicIncident } from '../../../incidents/schema.ts'
import { lacking } from '../../../kernel/fields.ts'
import { momentOut } from '../../../kernel/schema.ts'
import { MaintenanceResource, PublicMaintenance } from '../../../maintenances/schema.ts'
import { windowFields } from '../../../series/fields.ts'
import { SeriesResource } from '../../../series/schema.ts'
import type { eventKeys } from '../../keys.ts'

type Key = (typeof eventKeys)[number]

const Details = z.record(z.string(), z.unknown()).optional().describe('Further facts of the event')

const WebhookPage = z
  .strictObject({ id: z.int(), name: z.string(), url: z.string().describe('The address of the status page') })
  .meta({ id: 'WebhookPage' })

const common = {
  event_id: z.int().describe('The notification event'),
  sequence: z.int().describe('The same number as `event_id`: rises with each notification'),
  page: WebhookPage,
  items: z.array(HierarchyItemSummary).optional().describe('The affected items'),
  details: Details,
  late: z.literal(true).optional().describe('The notification was written noticeably after it was due'),
  missed: z.int().optional().describe('Of a late notification: the number of due moments that it covers'),
  truncated: z.literal(true).optional().describe('Updates, texts or lists are cut to keep the body below 20 kB'),
}

export interface WebhookEvent {
  keys: readonly Key[]
  /** Whether only subscriptions with `internal` get the events. */
  internal: boolean
  body: z.ZodType
}

function eventOf(
  id: string,
  internal: boolean,
  keys: readonly [Key, ...Key[]],
  record: Record<string, z.ZodType>,
): WebhookEvent {
  const body = z
    .strictObject({
      type: z.enum(keys),
      timestamp: momentOut().describe('When the event was written, the same on every attempt'),
      data: z.strictObject({ ...common, ...record }),
    })
    .meta({ id })
  return { keys, internal, body }
}

const entryOf = <U extends z.ZodObject>(updates: z.ZodOptional<z.ZodArray<U>>) =>
  updates.unwrap().element.optional().describe('The entry of the timeline that the event is about')

const Series = SeriesResource.omit({
  ...lacking(windowFields, 'compact'),
  external_id: true,
  lifecycle_stage: true,
  affected_items: true,
  kept_occurrences: true,
  translations: true,
}).meta({ id: 'WebhookSeries' })

const Beat = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    current_stage: z.string().nullable(),
    impact: z.string().nullable(),
    type: z.string().optional().describe('Of a beat'),
  })
  .meta({ id: 'WebhookBeat' })

const Subscriber = z
  .strictObject({ id: z.int(), channel: z.string(), state: z.string(), created_at: momentOut() })
  .meta({ id: 'WebhookSubscriber' })

/**
 * The bodies of webhooks, by the keys of their events. `maintenance.reminder` is public before the start of a window and
 * internal before its end. The other keys are of mails alone.
 */
export const webhookEvents: WebhookEvent[] = [
  eventOf('WebhookEventIncident', false, ['incident.created', 'incident.updated', 'incident.resolved'], {
    incident: PublicIncident,
    update: entryOf(PublicIncident.shape.updates),
  }),
  eventOf('WebhookEventIncidentInternal', true, ['incident.reminder', 'incident.long_running'], {
    incident: IncidentResource,
  }),
  eventOf(
    'WebhookEventMaintenance',
    false,
    [
      'maintenance.scheduled',
      'maintenance.updated',
      'maintenance.started',
      'maintenance.completed',
      'maintenance.cancelled',
    ],
    { maintenance: PublicMaintenance, update: entryOf(PublicMaintenance.shape.updates) },
  ),
  eventOf('WebhookEventMaintenanceReminder', false, ['maintenance.reminder'], {
    maintenance: z.union([PublicMaintenance, MaintenanceResource]),
  }),
  eventOf('WebhookEventMaintenanceInternal', true, ['maintenance.overrun'], { maintenance: MaintenanceResource }),
  eventOf('WebhookEventSeries', false, ['series.rescheduled'], { series: Series }),
  eventOf('WebhookEventItem', false, ['item.status_changed'], { item: HierarchyItemSummary }),
  eventOf('WebhookEventBeat', true, ['beat.stage_changed', 'beat.review_requested'], {
    beat: Beat.optional(),
    beat_group: Beat.optional().describe('In place of `beat`, of a group'),
  }),
  eventOf('WebhookEventTest', false, ['subscription.test'], { subscriber: Subscriber }),
]
