import { z } from 'zod'
import { field } from '../../kernel/fields.ts'
import { id, inOneLine, line, moment, momentOut, text } from '../../kernel/schema.ts'
import { inList } from '../../kernel/text-rules.ts'
import { beatTypes, reportedTypes } from '../types/index.ts'
import { ActionPolicies, MessagePolicies } from './policies.ts'
import { ranges } from './range-rules.ts'
import { regionName } from './regions.ts'
import { DEFAULT_INTERVAL_SECONDS } from './rules.ts'
import { ThresholdPolicies } from './thresholds.ts'

/** The fields that beats and groups share. */
export const sharedFields = {
  name: field(inOneLine(line(200)), { required: true, compact: true }),
  description: field(text(20_000), { default: '', nullClears: true, compact: true }),
  impact: field(text(200).nullable(), { default: null, compact: true }),
  affected_items_freetext: field(text(2000).nullable(), { default: null }),
  automation_paused: field(z.boolean().describe('The stage is still computed, without actions'), {
    ...{ default: false, compact: true, keptByPut: true },
  }),
  automation_pause_reason: field(text(500).nullable(), { default: null, keptByPut: true }),
  muted_until: field(moment().nullable().describe('No actions and no notifications until this moment'), {
    ...{ default: null, compact: true, keptByPut: true, answer: momentOut() },
  }),
  action_policies: field(ActionPolicies, { default: {}, nullClears: true }),
  message_policies: field(MessagePolicies, { default: {}, nullClears: true }),
}

export const BeatType = z.enum(beatTypes).meta({ id: 'BeatType' })

const MOST_REGIONS = 50

const regions = z
  .array(regionName())
  .min(1)
  .max(MOST_REGIONS)
  .refine((names) => new Set(names).size === names.length, 'must not name a region twice')
  .describe(
    'The regions that check the beat; by default `synthetics_region`, else the first region of the installation. Any region can be named: within a minute after no worker serves a region, `unknown_because` has the reason if no other region checks the beat, else the history of the beat',
  )

const thresholds = ThresholdPolicies.describe(
  `A \`warning_rule\` or a \`critical_rule\` is required, except for ${inList(reportedTypes)}`,
)

/** The fields of a beat, except its target. */
export const beatFields = {
  ...sharedFields,
  type: field(BeatType, { required: true, compact: true }),
  beat_group_id: field(id().nullable().describe('null removes the beat from its group'), {
    ...{ default: null, compact: true, keptByPut: true },
  }),
  enabled: field(z.boolean().describe('`false`: no checks'), { default: true, compact: true, keptByPut: true }),
  interval_seconds: field(z.int().min(1).max(86_400), { default: DEFAULT_INTERVAL_SECONDS, compact: true }),
  timeout_ms: field(z.int().min(100).max(60_000), {}),
  regions: field(regions, { answer: z.array(z.string()) }),
  threshold_policies: field(thresholds, { default: {}, answer: ThresholdPolicies }),
  public_metrics_enabled: field(z.boolean().describe('Readers see uptime and latencies at a mapped item'), {
    default: false,
  }),
  public_metrics_component_id: field(id().nullable().describe('One of the mapped items; by default the first'), {
    default: null,
  }),
  public_metrics_label: field(text(200).nullable(), { default: null }),
  public_metrics_max_range: field(z.enum(ranges).nullable(), { default: null }),
}
