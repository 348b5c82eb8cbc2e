import { z } from 'zod'
import { inList } from '../../kernel/text-rules.ts'
import { checkedTypes } from '../types/index.ts'

/** The rules by which results change the stage of a beat. */

const MOST_CHECKS = 100

const measuring = inList(checkedTypes(({ measuresPacketLoss }) => measuresPacketLoss === true))
const certified = inList(checkedTypes(({ certificate }) => certificate === 'always'))
const certifiedOverHttps = inList(checkedTypes(({ certificate }) => certificate === 'over https'))

const thresholdRule = z
  .strictObject({
    consecutive_failures: z.int().min(1).max(MOST_CHECKS).optional(),
    failures_in_window: z
      .strictObject({ failures: z.int().min(1).max(MOST_CHECKS), checks: z.int().min(1).max(MOST_CHECKS) })
      .refine(({ failures, checks }) => failures <= checks, {
        path: ['failures'],
        error: 'must not be more than checks',
      })
      .optional(),
    latency_ms_over: z.number().min(0).max(300_000).optional(),
    packet_loss_over: z.number().min(0).max(100).optional().describe(`In percent; only for ${measuring}`),
    certificate_days_under: z
      .number()
      .min(0)
      .max(3650)
      .optional()
      .describe(`For ${certified}, and for ${certifiedOverHttps} that reach an https:// URL`),
    regions_failing: z.int().min(1).max(50).optional().describe('How many regions of the beat must fail; by default 1'),
  })
  .meta({ id: 'ThresholdRule', example: { consecutive_failures: 3 } })
export type ThresholdRule = z.output<typeof thresholdRule>

const failing = [
  'consecutive_failures',
  'failures_in_window',
  'latency_ms_over',
  'packet_loss_over',
  'certificate_days_under',
] as const

/** Any condition of a rule suffices, so a rule needs at least one of the failing conditions. */
const failingRule = thresholdRule.refine((rule) => failing.some((name) => rule[name] !== undefined), {
  error: `needs at least one of ${failing.join(', ')}`,
})

export const ThresholdPolicies = z
  .strictObject({
    warning_rule: failingRule.optional(),
    critical_rule: failingRule.optional(),
    recovery_rule: z
      .strictObject({ consecutive_successes: z.int().min(1).max(MOST_CHECKS).optional() })
      .optional()
      .describe('How many good results in a row each region needs; by default 1'),
    flapping_rule: z
      .strictObject({ changes: z.int().min(2).max(MOST_CHECKS), within_minutes: z.int().min(1).max(1440) })
      .optional()
      .describe(
        'After more stage changes than `changes` within these minutes the beat is flapping: it shows one banner and takes no other action until the flapping ends; by default 6 in 60',
      ),
  })
  .describe('Any condition of a rule suffices. If no rule counts failures, a failed check meets every rule.')
  .meta({ id: 'ThresholdPolicies', example: { critical_rule: { consecutive_failures: 3 } } })
export type ThresholdPolicies = z.output<typeof ThresholdPolicies>
