import { z } from 'zod'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { moment, version } from '../kernel/schema.ts'

const YEAR_IN_MINUTES = 527_040

export const MuteRequest = z
  .strictObject({
    muted_until: moment().nullable().optional().describe('null ends the mute'),
    minutes: z.int().min(1).max(YEAR_IN_MINUTES).optional().describe('From now on, instead of `muted_until`'),
    version: version().optional(),
  })
  .meta({ example: { minutes: 30 } })

/** Until when a request mutes; null ends a mute. */
export function mutedUntil({ now }: Context, { muted_until, minutes }: z.output<typeof MuteRequest>): Date | null {
  if ((muted_until === undefined) === (minutes === undefined)) {
    throw invalid([{ path: 'muted_until', message: 'is needed, or else minutes; not both' }])
  }
  if (minutes !== undefined) return new Date(now.getTime() + minutes * 60_000)
  if (!muted_until) return null
  const until = new Date(muted_until)
  if (until <= now) throw invalid([{ path: 'muted_until', message: 'lies in the past' }])
  return until
}
