import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { moment, version } from '../../kernel/schema.ts'

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
  return muted_until ? ahead(now, muted_until) : null
}

/** The same of a record: a mute that has passed is only what was read of it. */
export function muteSaid(
  { now }: Context,
  said: string | null | undefined,
  stored: Date | null = null,
): Date | null | undefined {
  if (typeof said !== 'string') return said
  return stored?.getTime() === new Date(said).getTime() ? stored : ahead(now, said)
}

function ahead(now: Date, said: string): Date {
  const until = new Date(said)
  if (until <= now) throw invalid([{ path: 'muted_until', message: 'lies in the past' }])
  return until
}
