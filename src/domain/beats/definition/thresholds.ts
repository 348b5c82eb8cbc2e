import { z } from 'zod'

/** When what the checks of a beat see changes its stage. */

const MOST_CHECKS = 100

const thresholdRule = z
  .strictObject({
    consecutive_failures: z.int().min(1).max(MOST_CHECKS).optional(),
    failures_in_window: z
      .strictObject({ failures: z.int().min(1).max(MOST_CHECKS), checks: z.int().min(1).max(MOST_CHECKS) })
      .refine(({ failures, checks }) => failures <= checks, { path: ['failures'], error: 'are more than the checks' })
      .optional(),
    latency_ms_over: z.number().min(0).max(300_000).optional(),
    packet_loss_over: z.number().min(0).max(100).optional().describe('In percent; of ping'),
    certificate_days_under: z
      .number()
      .min(0)
      .max(3650)
      .optional()
      .describe('Of tls, and of http, api and latency where they come to an https:// URL'),
    regions_failing: z
      .int()
      .min(1)
      .max(50)
      .optional()
      .describe('How many of the regions of the beat must fail; 1 when absent'),
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

/** Of a rule any condition suffices, so it needs at least one that can be met by failing. */
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
      .describe('How many good results in a row each region needs; 1 when absent'),
    flapping_rule: z
      .strictObject({ changes: z.int().min(2).max(MOST_CHECKS), within_minutes: z.int().min(1).max(1440) })
      .optional()
      .describe(
        'More changes of the stage than that within so many minutes are told by one banner, and acted on no more until it is calm again; 6 in 60 when absent',
      ),
  })
  .describe(
    'Within a rule any condition suffices. Where no rule counts failures, a check that fails meets each of them.',
  )
  .meta({ id: 'ThresholdPolicies', example: { critical_rule: { consecutive_failures: 3 } } })
export type ThresholdPolicies = z.output<typeof ThresholdPolicies>
