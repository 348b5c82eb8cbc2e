import { z } from 'zod'
import { HierarchyItemSummary, ItemRef } from '../hierarchy/schema.ts'
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
import { newTranslations, translations, translationsOut } from '../translations/schema.ts'
import { LifecycleStageResource } from '../vocabulary/schema.ts'
import { incidentFields } from './fields.ts'
import { PublicIncidentReport } from './postmortem-schema.ts'

const stageFields = { lifecycle_stage_id: id().optional(), lifecycle_stage_name: line(100).optional() }
const status = () => z.string().min(1).max(50)

/** The texts that can be translated. */
const words = translatable(incidentFields)
const updateWords = { message: line(20_000) }
const resolutionWords = {
  ...updateWords,
  resolution_message: updateWords.message.describe('Alias of `message`; `message` takes precedence'),
}

export const IncidentUpdateResource = z
  .strictObject({
    id: z.int(),
    message: z.string(),
    status: z.string(),
    is_resolution: z.boolean(),
    created_at: momentOut().nullable(),
    updated_at: momentOut().nullable(),
    previous_status: z.string().optional(),
    lifecycle_stage_id: z.int().optional(),
    lifecycle_stage: LifecycleStageResource.optional(),
    translations: translationsOut(),
  })
  .meta({ id: 'IncidentUpdateResource' })

export const versionInWords = 'The version of the incident after this write'
export const WrittenIncidentUpdate = IncidentUpdateResource.extend({
  version: z.int().describe(versionInWords),
}).meta({ id: 'WrittenIncidentUpdate' })

export const IncidentResource = z
  .strictObject({
    id: z.int(),
    status: z.string(),
    ...inAnswer(incidentFields),
    started_at: momentOut().nullable(),
    created_at: momentOut().nullable(),
    updated_at: momentOut().nullable(),
    acknowledged_at: momentOut().nullable().optional(),
    resolved_at: momentOut().nullable().optional(),
    initial_status: z.string().optional(),
    external_id: z.string().optional(),
    version: z.int(),
    affected_items: z.array(HierarchyItemSummary).optional(),
    lifecycle_stage_id: z.int().optional(),
    lifecycle_stage: LifecycleStageResource.optional(),
    updates: z.array(IncidentUpdateResource).optional(),
    translations: translationsOut(),
  })
  .meta({ id: 'IncidentResource' })

const PublicIncidentUpdate = IncidentUpdateResource.omit({ translations: true }).meta({ id: 'PublicIncidentUpdate' })

export const PublicIncident = IncidentResource.omit({
  ...lacking(incidentFields, 'public'),
  external_id: true,
  translations: true,
})
  .extend({
    updates: z.array(PublicIncidentUpdate).optional(),
    report: PublicIncidentReport.optional().describe('In full records, while the report is published'),
  })
  .meta({ id: 'PublicIncident' })

const derived = {
  ...readOnly('id', 'initial_status'),
  ...computed('created_at', 'updated_at', 'acknowledged_at', 'resolved_at', 'lifecycle_stage', 'updates'),
}
const derivedOfUpdate = {
  ...readOnly('id', 'is_resolution', 'previous_status'),
  ...computed('created_at', 'updated_at', 'lifecycle_stage'),
}

const creation = z.strictObject({
  ...inCreate(incidentFields),
  status: status().optional().describe('A status type of the page. Absent: the mildest that is not operational'),
  external_id: externalId().optional(),
  affected_items: z.array(ItemRef).max(500).default([]),
  ...stageFields,
  started_at: moment().nullable().optional().describe('Not in the future. Absent: now'),
  notify: notify(),
  translations: newTranslations(words),
})
export const IncidentCreateRequest = withoutReadOnly(creation, derived, 'version')
export const IncidentPutRequest = creation.extend({
  external_id: externalId(),
  version: version().optional(),
  ...derived,
})

export const IncidentUpdateCreateRequest = z.strictObject({
  message: updateWords.message.optional().describe('Required, unless a `status` is given'),
  status: status().optional().describe('`resolved` resolves the incident'),
  impact: incidentFields.impact.schema.optional(),
  ...stageFields,
  reminder_interval_minutes: incidentFields.reminder_interval_minutes.schema.optional(),
  version: version().optional(),
  notify: notify(),
  translations: newTranslations(updateWords),
})

export const ResolveIncidentRequest = z.strictObject({
  resolution_message: text(20_000).optional(),
  resolved_at: moment()
    .nullable()
    .optional()
    .describe('Not in the future, and not before the start or the newest entry of the timeline. Absent: now'),
  version: version().optional(),
  notify: notify(),
  translations: newTranslations(resolutionWords),
})

export const ReopenIncidentRequest = z.strictObject({
  message: text(20_000).optional(),
  status: status().optional().describe('Absent: the status before the resolution'),
  ...stageFields,
  version: version().optional(),
  notify: notify(),
})

export const IncidentTimelineUpdateRequest = z.strictObject({
  ...updateWords,
  status: status().optional(),
  ...stageFields,
  version: version().optional().describe('The current version of the incident, else 409'),
  translations: translations(updateWords),
  ...derivedOfUpdate,
})

export const IncidentUpdateRequest = z.strictObject({
  ...inChange(incidentFields),
  status: status().optional().describe('`resolved` resolves the incident'),
  affected_items: z.array(ItemRef).max(500).optional().describe('Replaces the items that are affected now'),
  ...stageFields,
  started_at: moment()
    .nullable()
    .optional()
    .describe(
      'Not in the future, and not after the first entry of the timeline, the acknowledgement or the resolution. null: the moment at which the incident was created',
    ),
  version: version().optional(),
  notify: notify(),
  translations: translations(words),
  ...derived,
  ...readOnly('external_id', 'chat_channel_id'),
})
