import { z } from 'zod'
import { IncidentResource, IncidentUpdateResource } from '../../incidents/schema.ts'
import { idInPath, momentOut, text, version, view } from '../../kernel/schema.ts'
import { BeatResource, BeatStage } from '../definition/schema.ts'
import { BeatGroupResource } from '../groups/schema.ts'

const kinds = ['open', 'update', 'resolve', 'reopen'] as const
const modes = ['draft_only', 'automatic'] as const
const states = ['pending_review', 'approved', 'rejected', 'executed', 'superseded', 'failed'] as const

const BeatActionDraft = z
  .strictObject({
    kind: z.enum(kinds).describe('What the action does with the incident of the beat or the group'),
    incident_id: z.int().optional(),
    title: z.string().describe('The title of an incident that the action opens'),
    body: z.string(),
    translations: z.array(
      z.strictObject({ locale: z.string(), title: z.string().optional(), body: z.string().optional() }),
    ),
    incident_status: z.string(),
    lifecycle_stage_name: z.string().optional(),
    reminder_interval_minutes: z.int().nullable().optional(),
    impact: z.string().nullable(),
    affected_items_freetext: z.string().nullable(),
    items: z.array(z.int()).describe('The ids of the affected items'),
  })
  .meta({ id: 'BeatActionDraft' })

const ActionSource = z
  .strictObject({
    source_id: z.int(),
    source_name: z.string(),
    source_external_id: z.string().optional(),
    provider_type: z.string(),
    inbox_event_id: z.int(),
    trigger_id: z.int(),
    trigger_name: z.string(),
    trigger_external_id: z.string().optional(),
    fingerprint: z.string(),
    target_stage: z.string(),
    admin_path: z.string(),
    payload_preview: z.string().optional().describe('In full records: the beginning of the redacted payload as JSON'),
  })
  .meta({ id: 'EventSource' })

export const BeatActionResource = z
  .strictObject({
    id: z.int(),
    beat_id: z.int().optional(),
    beat_group_id: z.int().optional(),
    stage: BeatStage,
    mode: z.enum(modes),
    state: z.enum(states),
    kind: z.enum(kinds),
    title: z.string(),
    draft: BeatActionDraft.optional().describe('In full records: the post, as drafted or as executed'),
    source: ActionSource.optional().describe('The event of another system that caused the action'),
    incident_id: z.int().optional(),
    update_id: z.int().optional(),
    notification_event: z.string().optional(),
    reason: z.string().optional().describe('Why the action was superseded or failed, or why it posted nothing'),
    decision_note: z.string().optional(),
    decided_by: z.string().optional(),
    decided_at: momentOut().optional(),
    executed_at: momentOut().optional(),
    version: z.int(),
    created_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({ id: 'BeatAction' })

export const BeatActionExecution = z
  .strictObject({
    action: BeatActionResource,
    monitor: BeatResource.optional(),
    beat_group: BeatGroupResource.optional(),
    incident: IncidentResource.optional(),
    update: IncidentUpdateResource.optional(),
    notification_event: z.string().optional(),
  })
  .meta({ id: 'BeatActionExecution' })

export const actionFilters = {
  view,
  state: z.enum(states).optional(),
  beat_id: idInPath().optional().describe('Only actions of this beat'),
  beat_group_id: idInPath().optional().describe('Only actions of this group'),
}

export const ApproveRequest = z.strictObject({ version: version().optional() })

export const RejectRequest = z.strictObject({ decision_note: text(2000).optional(), version: version().optional() })

export const BannerResource = z
  .strictObject({
    id: z.int(),
    beat_id: z.int().describe('The beat; for the banner of a group its worst member'),
    beat_group_id: z.int().optional(),
    stage: BeatStage,
    message: z.string(),
    created_at: momentOut(),
    dismissed_at: momentOut().nullable(),
    dismissed_by: z.string().optional().describe('The person who dismissed the banner, or what ended it'),
  })
  .meta({ id: 'Banner' })
