import { z } from 'zod'
import { affectedItems, HierarchyItemSummary } from '../hierarchy/schema.ts'
import { inAnswer, inChange, inCreate, lacking, translatable } from '../kernel/fields.ts'
import {
  computed,
  externalId,
  id,
  line,
  moment,
  momentOut,
  notify,
  readOnly,
  text,
  version,
  withoutReadOnly,
} from '../kernel/schema.ts'
import { timeZone } from '../settings/fields.ts'
import { newTranslations, translations, translationsOut } from '../translations/schema.ts'
import { LifecycleStageResource } from '../vocabulary/schema.ts'
import { maintenanceFields } from './fields.ts'
import { statuses } from './rules.ts'

const stageFields = { lifecycle_stage_id: id().optional(), lifecycle_stage_name: line(100).optional() }

export const MaintenanceStatus = z.enum(statuses).meta({ id: 'MaintenanceStatus' })
const newStatus = z.enum(['scheduled', 'in_progress'])

/** The texts that can be translated. */
const words = translatable(maintenanceFields)
const updateWords = { message: line(20_000) }

export const MaintenanceUpdateResource = z
  .strictObject({
    id: z.int(),
    maintenance_id: z.int(),
    message: z.string(),
    status: MaintenanceStatus,
    created_at: momentOut().nullable(),
    updated_at: momentOut().nullable(),
    previous_status: MaintenanceStatus.optional(),
    lifecycle_stage_id: z.int().optional(),
    lifecycle_stage: LifecycleStageResource.optional(),
    due_at: momentOut().optional().describe('For an automatic transition: when it was due'),
    late: z.boolean().optional().describe('For an automatic transition: whether it came noticeably after `due_at`'),
    translations: translationsOut(),
  })
  .meta({ id: 'MaintenanceUpdateResource' })

export const versionInWords = 'The version of the maintenance after this write'
export const WrittenMaintenanceUpdate = MaintenanceUpdateResource.extend({
  version: z.int().describe(versionInWords),
}).meta({ id: 'WrittenMaintenanceUpdate' })

export const MaintenanceResource = z
  .strictObject({
    id: z.int(),
    status: MaintenanceStatus,
    ...inAnswer(maintenanceFields),
    scheduled_start_time: momentOut().nullable(),
    scheduled_end_time: momentOut().nullable(),
    created_at: momentOut().nullable(),
    updated_at: momentOut().nullable(),
    started_at: momentOut().nullable().optional().describe('The actual start'),
    ended_at: momentOut().nullable().optional().describe('When the maintenance was completed or cancelled'),
    external_id: z.string().optional(),
    version: z.int(),
    affected_items: z.array(HierarchyItemSummary).optional(),
    lifecycle_stage_id: z.int().optional(),
    lifecycle_stage: LifecycleStageResource.optional(),
    series_id: z.int().optional().describe('The series of this window'),
    occurrence_index: z.int().optional(),
    original_start_time: momentOut()
      .optional()
      .describe(
        'The start by the schedule of the series, even if the window was moved; together with `series_id` it identifies the occurrence',
      ),
    recurrence_rule: z.string().optional(),
    recurrence_timezone: z.string().optional(),
    recurrence_end_time: momentOut().optional(),
    updates: z.array(MaintenanceUpdateResource).optional(),
    translations: translationsOut(),
  })
  .meta({ id: 'MaintenanceResource' })

const PublicMaintenanceUpdate = MaintenanceUpdateResource.omit({ translations: true, due_at: true, late: true }).meta({
  id: 'PublicMaintenanceUpdate',
})

export const PublicMaintenance = MaintenanceResource.omit({
  ...lacking(maintenanceFields, 'public'),
  external_id: true,
  translations: true,
})
  .extend({ updates: z.array(PublicMaintenanceUpdate).optional() })
  .meta({ id: 'PublicMaintenance' })

const derived = {
  ...readOnly('id', 'series_id', 'occurrence_index'),
  ...computed(
    'created_at',
    'updated_at',
    'started_at',
    'ended_at',
    'original_start_time',
    'lifecycle_stage',
    'updates',
  ),
}

/** The times and the items in a create and in a change. */
const planned = {
  start: moment().nullable().describe('The planned start'),
  end: moment().nullable().describe('The planned end, after the start'),
  rule: text(500)
    .meta({ example: 'FREQ=WEEKLY;BYDAY=TU' })
    .describe('RFC 5545: the maintenance recurs from its start on'),
  zone: timeZone().describe('The time zone of the recurrence. Absent: `reliability_policy_timezone`'),
  recurrenceEnd: moment().nullable().describe('The latest start of an occurrence'),
  items: affectedItems(),
}

const creation = z.strictObject({
  ...inCreate(maintenanceFields),
  status: newStatus.default('scheduled').describe('`in_progress`: the maintenance starts now'),
  external_id: externalId().optional(),
  affected_items: planned.items,
  ...stageFields,
  scheduled_start_time: planned.start.optional(),
  scheduled_end_time: planned.end.optional(),
  recurrence_rule: planned.rule.optional(),
  recurrence_timezone: planned.zone.optional(),
  recurrence_end_time: planned.recurrenceEnd.optional(),
  notify: notify(),
  translations: newTranslations(words),
})
export const MaintenanceCreateRequest = withoutReadOnly(creation, derived, 'version')

export const MaintenanceUpdateRequest = z.strictObject({
  ...inChange(maintenanceFields),
  title: words.title,
  status: MaintenanceStatus.optional().describe(
    'A new status, with the rules of the operations that start, complete and cancel',
  ),
  affected_items: planned.items.optional().describe('Replaces the affected items'),
  ...stageFields,
  scheduled_start_time: planned.start.optional(),
  scheduled_end_time: planned.end.optional(),
  recurrence_rule: planned.rule.optional(),
  recurrence_timezone: planned.zone.optional(),
  recurrence_end_time: planned.recurrenceEnd.optional(),
  version: version().optional(),
  notify: notify(),
  translations: translations(words),
  ...derived,
  ...readOnly('external_id'),
})

export const MaintenancePutRequest = creation.extend({
  status: MaintenanceUpdateRequest.shape.status,
  external_id: externalId(),
  version: version().optional(),
  ...derived,
})

export const MaintenanceAddUpdateRequest = z.strictObject({
  message: updateWords.message
    .optional()
    .describe(
      'Required without a new `status`. Absent with a new `status`: the prepared message of the maintenance or of a preset',
    ),
  status: MaintenanceStatus.optional().describe('The new status. Absent: the entry is a note'),
  ...stageFields,
  version: version().optional(),
  notify: notify(),
  translations: newTranslations(updateWords),
})

export const MaintenanceTimelineUpdateRequest = z.strictObject({
  ...updateWords,
  ...stageFields,
  version: version().optional().describe('The current version of the maintenance, else 409'),
  translations: translations(updateWords),
  ...readOnly('id', 'maintenance_id', 'status', 'previous_status', 'late'),
  ...computed('created_at', 'updated_at', 'due_at', 'lifecycle_stage'),
})

export const MaintenanceMoveRequest = z.strictObject({
  message: text(20_000)
    .optional()
    .describe('The message of the entry. Absent: the prepared message of the maintenance or of a preset'),
  ...stageFields,
  version: version().optional(),
  notify: notify(),
  translations: newTranslations(updateWords),
})
