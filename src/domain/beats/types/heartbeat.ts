import { z } from 'zod'
import { line } from '../../kernel/schema.ts'
import { canonicalZone, isTimeZone } from '../../settings/rules.ts'
import { cronProblem } from './cron.ts'
import type { ReportedDescription } from './description.ts'

const YEAR = 31_536_000

const HeartbeatTarget = z
  .strictObject({
    period_seconds: z.int().min(1).max(YEAR).optional(),
    cron: line(200)
      .optional()
      .describe('Five fields (minute, hour, day of month, month, day of week), or a name such as `@daily`'),
    timezone: line(100)
      .overwrite((name) => canonicalZone(name) ?? name)
      .refine(isTimeZone, 'must be a timezone such as Europe/Berlin')
      .optional()
      .describe('By default `UTC`'),
    grace_seconds: z.int().min(0).max(YEAR).optional().describe('How long after the expected moment a call may arrive'),
  })
  .superRefine(({ period_seconds, cron, timezone }, ctx) => {
    const wrong = (field: string, message: string | null) =>
      message && ctx.addIssue({ code: 'custom', path: [field], message })
    if (cron === undefined) {
      if (period_seconds === undefined) wrong('period_seconds', 'is required, or else cron')
      if (timezone !== undefined) wrong('timezone', 'belongs to cron')
      return
    }
    if (period_seconds !== undefined) wrong('cron', 'cannot be combined with period_seconds')
    wrong('cron', cronProblem(cron))
  })
  .meta({ id: 'HeartbeatBeatTarget' })

/** The target calls the service, each period or at the moments of a cron expression. */
export const heartbeat = {
  stageFrom: 'calls',
  target: HeartbeatTarget,
  schedule: 'the schedule of its calls is period_seconds or cron of the target',
} satisfies ReportedDescription<typeof HeartbeatTarget>
