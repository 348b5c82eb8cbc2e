import { z } from 'zod'
import { affectedItems, HierarchyItemSummary } from '../hierarchy/schema.ts'
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
import { statuses } from './rules.ts'

const stageFields = { lifecycle_stage_id: id().optional(), lifecycle_stage_name: line(100).optional() }

export const MaintenanceStatus = z.enum(statuses).meta({ id: 'MaintenanceStatus' })
const newStatus = z.enum(['scheduled', 'in_progress'])

/** What a maintenance and its updates say in words, and may therefore say in other languages. */
export const words = {
  title: line(300),
  description: text(20_000),
  impact: text(200),
  affected_items_freetext: text(2000),
  auto_transition_start_message: text(20_000),
  auto_transition_complete_message: text(20_000),
}
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
    due_at: momentOut().optional().describe('Of an entry that the schedule wrote: when it was to happen'),
    late: z.boolean().optional().describe('Of such an entry: whether it came after a time down'),
    translations: translationsOut(),
  })
  .meta({ id: 'MaintenanceUpdateResource' })

export const versionInWords = 'The version that the maintenance has by this write'
export const WrittenMaintenanceUpdate = MaintenanceUpdateResource.extend({
  version: z.int().describe(versionInWords),
}).meta({ id: 'WrittenMaintenanceUpdate' })

export const MaintenanceResource = z
  .strictObject({
    id: z.int(),
    status: MaintenanceStatus,
    title: z.string(),
    description: z.string(),
    scheduled_start_time: momentOut().nullable(),
    scheduled_end_time: momentOut().nullable(),
    created_at: momentOut().nullable(),
    updated_at: momentOut().nullable(),
    started_at: momentOut().nullable().optional().describe('When it really started'),
    ended_at: momentOut().nullable().optional().describe('When it was completed or cancelled'),
    impact: z.string().optional(),
    external_id: z.string().optional(),
    version: z.int(),
    affected_items: z.array(HierarchyItemSummary).optional(),
    affected_items_freetext: z.string().optional(),
    lifecycle_stage_id: z.int().optional(),
    lifecycle_stage: LifecycleStageResource.optional(),
    auto_transition_enabled: z.boolean().optional(),
    auto_transition_start_message: z.string().optional(),
    auto_transition_complete_message: z.string().optional(),
    chat_channel_id: z.string().optional(),
    series_id: z.int().optional().describe('The series that it is a window of'),
    occurrence_index: z.int().optional(),
    original_start_time: momentOut()
      .optional()
      .describe('When its series has it start, wherever it was moved to: with the series, this is who it is'),
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
  external_id: true,
  chat_channel_id: true,
  auto_transition_enabled: true,
  auto_transition_start_message: true,
  auto_transition_complete_message: true,
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
const inMessage = 'with the variables of the preset category `maintenance`'

/** What a request says of a maintenance, new or changed. */
const planned = {
  auto_transition_enabled: z.boolean().describe('Whether it starts and completes at its scheduled times by itself'),
  start: moment().nullable().describe('When it is to start'),
  end: moment().nullable().describe('When it is to end, after its start'),
  startMessage: words.auto_transition_start_message.describe(`What its start says, ${inMessage}`),
  completeMessage: words.auto_transition_complete_message.describe(`What its completion says, ${inMessage}`),
  rule: text(500).meta({ example: 'FREQ=WEEKLY;BYDAY=TU' }).describe('RFC 5545: it recurs, from its start on'),
  zone: timeZone().describe('On whose clocks it recurs; `reliability_policy_timezone` when absent'),
  recurrenceEnd: moment().nullable().describe('The last moment at which it may start'),
  items: affectedItems(),
}

const creation = z.strictObject({
  title: words.title,
  description: words.description.default(''),
  status: newStatus.default('scheduled').describe('One that is in progress has started now'),
  impact: words.impact.optional(),
  external_id: externalId().optional(),
  affected_items: planned.items,
  affected_items_freetext: words.affected_items_freetext.optional(),
  ...stageFields,
  chat_channel_id: text(100).optional(),
  scheduled_start_time: planned.start.optional(),
  scheduled_end_time: planned.end.optional(),
  auto_transition_enabled: planned.auto_transition_enabled.default(false),
  auto_transition_start_message: planned.startMessage.optional(),
  auto_transition_complete_message: planned.completeMessage.optional(),
  recurrence_rule: planned.rule.optional(),
  recurrence_timezone: planned.zone.optional(),
  recurrence_end_time: planned.recurrenceEnd.optional(),
  notify: notify(),
  translations: newTranslations(words),
})
export const MaintenanceCreateRequest = withoutReadOnly(creation, derived, 'version')

export const MaintenanceUpdateRequest = z.strictObject({
  title: words.title,
  description: words.description.nullable().optional(),
  status: MaintenanceStatus.optional().describe('Moves it, with the rules of moving'),
  impact: words.impact.nullable().optional(),
  affected_items: planned.items.optional().describe('Replaces those that it affects'),
  affected_items_freetext: words.affected_items_freetext.nullable().optional(),
  ...stageFields,
  chat_channel_id: text(100).nullable().optional(),
  scheduled_start_time: planned.start.optional(),
  scheduled_end_time: planned.end.optional(),
  auto_transition_enabled: planned.auto_transition_enabled.optional(),
  auto_transition_start_message: planned.startMessage.nullable().optional(),
  auto_transition_complete_message: planned.completeMessage.nullable().optional(),
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
    .describe('Required, unless a `status` moves the maintenance: then what was prepared for that, be it by a preset'),
  status: MaintenanceStatus.optional().describe('Moves the maintenance; a note when absent'),
  ...stageFields,
  version: version().optional(),
  notify: notify(),
  translations: newTranslations(updateWords),
})

export const MaintenanceTimelineUpdateRequest = z.strictObject({
  ...updateWords,
  ...stageFields,
  version: version().optional().describe('Of the maintenance: applied only if it is current'),
  translations: translations(updateWords),
  ...readOnly('id', 'maintenance_id', 'status', 'previous_status', 'late'),
  ...computed('created_at', 'updated_at', 'due_at', 'lifecycle_stage'),
})

export const MaintenanceMoveRequest = z.strictObject({
  message: text(20_000).optional().describe('What its entry says; else what was prepared for it, be it by a preset'),
  ...stageFields,
  version: version().optional(),
  notify: notify(),
  translations: newTranslations(updateWords),
})
