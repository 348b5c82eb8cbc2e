import { z } from 'zod'
import { BeatStage } from '../../beats/definition/schema.ts'
import { moment, momentOut } from '../../kernel/schema.ts'
import { previewedTrigger, previewedTriggerChanges } from '../triggers/schema.ts'

const window = {
  from: moment().optional().describe('Only events that were received at this moment or later'),
  to: moment().optional().describe('Only events that were received before this moment'),
  limit: z.int().min(1).max(5000).default(500).describe('The newest events of the window, at most'),
}

export const DraftPreviewRequest = z.strictObject({ trigger: previewedTrigger, ...window })

export const SavedPreviewRequest = z.strictObject({
  trigger: previewedTriggerChanges.optional().describe('Changes to try, instead of the stored parts'),
  ...window,
})

const labels = ['firing', 'evidence_update', 'recovery', 'duplicate', 'stale'] as const
export type Label = (typeof labels)[number]

const Previewed = z
  .strictObject({
    event_id: z.int(),
    element: z.int(),
    label: z.enum(labels),
    stage: BeatStage,
    fingerprint: z.string(),
    leaf: z.string().nullable(),
  })
  .meta({ id: 'PreviewedMatch' })

const outcome = z.strictObject({ label: z.enum(labels), stage: BeatStage, fingerprint: z.string() }).nullable()

export const PreviewResource = z
  .strictObject({
    evaluated: z.int().describe('How many events were evaluated'),
    matched: z.array(Previewed),
    pairs: z.array(z.strictObject({ fingerprint: z.string(), firing_event_id: z.int(), recovery_event_id: z.int() })),
    unpaired: z
      .array(z.strictObject({ fingerprint: z.string(), event_id: z.int(), label: z.enum(['firing', 'recovery']) }))
      .describe('Firing events that are still open at the end, and recoveries that nothing fired for'),
    duplicates: z.int(),
    flapping: z
      .array(z.strictObject({ fingerprint: z.string(), changes: z.int(), from: momentOut(), to: momentOut() }))
      .describe('Fingerprints with more than three changes of their stage within ten minutes'),
    actions: z.array(
      z.strictObject({
        beat: z.strictObject({ id: z.int(), name: z.string() }).optional(),
        beat_group: z.strictObject({ id: z.int(), name: z.string() }).optional(),
        event_id: z.int(),
        stage: BeatStage,
        action: z.enum(['admin_banner', 'public_post']),
        mode: z.enum(['draft_only', 'automatic']).optional(),
      }),
    ),
    auto_post_risk: z.boolean().describe('A public post would be published without a review'),
    warnings: z.array(
      z.strictObject({
        code: z.enum(['matches_everything', 'no_recovery', 'automatic_public_post', 'no_evidence', 'redacted_values']),
        message: z.string(),
      }),
    ),
    changes: z
      .array(z.strictObject({ event_id: z.int(), element: z.int(), saved: outcome, proposed: outcome }))
      .optional()
      .describe('For changes of a stored trigger: the events on which the stored and the changed trigger differ'),
  })
  .meta({ id: 'TriggerPreview' })
