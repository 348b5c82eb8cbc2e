import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { moment, version } from '../../kernel/schema.ts'

const YEAR_IN_MINUTES = 527_040

export const MuteRequest = z
  .strictObject({
    muted_until: moment().nullable().optional().describe('null ends the mute'),
    minutes: z
      .int()
      .min(1)
      .max(YEAR_IN_MINUTES)
      .optional()
      .describe('The length of the mute from now on, instead of `muted_until`'),
    version: version().optional(),
  })
  .meta({ example: { minutes: 30 } })

/** The end of a mute by a request; null ends a mute. */
export function mutedUntil({ now }: Context, { muted_until, minutes }: z.output<typeof MuteRequest>): Date | null {
  if ((muted_until === undefined) === (minutes === undefined)) {
    throw invalid([{ path: 'muted_until', message: 'is required, or else minutes; not both' }])
  }
  if (minutes !== undefined) return new Date(now.getTime() + minutes * 60_000)
  return muted_until ? future(now, muted_until) : null
}

/** The end of a mute in a request for a whole record: a moment in the past is accepted if it is the stored one. */
export function requestedMute(
  { now }: Context,
  requested: string | null | undefined,
  stored: Date | null = null,
): Date | null | undefined {
  if (typeof requested !== 'string') return requested
  return stored?.getTime() === new Date(requested).getTime() ? stored : future(now, requested)
}

function future(now: Date, requested: string): Date {
  const until = new Date(requested)
  if (until <= now) throw invalid([{ path: 'muted_until', message: 'lies in the past' }])
  return until
}
