import type { Pulse } from '../../../persistence/api-pulses.ts'
import type { Schedule } from '../../../persistence/entities/heartbeat.ts'
import { dueAfter, graceOf } from './due.ts'

/** How often each API process stores that it can take calls. */
export const PULSE_EVERY_MS = 5000
/** A process that was silent for longer than this may have refused calls meanwhile: its machine was off, or it was frozen. */
export const LONGEST_SILENCE_MS = 3 * PULSE_EVERY_MS

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Pulses are kept for longer than this, so a gap that is older is not looked for. */
export const LONGEST_LOOK_BACK_MS = 7 * 24 * HOUR_MS

/** A time in which, at each moment, at least one API process could take calls. */
export interface Able {
  since: Date
  until: Date
}

/** The most recent such time. The pulses come with the most recent first. */
export function lastAble(pulses: Pulse[]): Able | null {
  const [newest, ...older] = pulses
  if (!newest) return null
  let since = newest.able_since
  for (const pulse of older) {
    if (pulse.seen_at < since) break
    if (pulse.able_since < since) since = pulse.able_since
  }
  return { since, until: newest.seen_at }
}

/**
 * The moment after which silence is a failure, once it is known since when calls could be taken. A call is tried around
 * the moment at which it is expected, so only a gap in that time may have cost it. Then the next period counts from the
 * end of the gap.
 */
export function dueWhileAble(schedule: Schedule, due: Date, { since }: Able): Date {
  const periodMs = schedule.period_seconds === undefined ? HOUR_MS : schedule.period_seconds * 1000
  const lookBackMs = Math.min(graceOf(schedule) + Math.min(periodMs, HOUR_MS), LONGEST_LOOK_BACK_MS)
  if (since.getTime() <= due.getTime() - lookBackMs) return due
  const next = dueAfter(schedule, since)
  return next > due ? next : due
}

/** When to look again for a pulse that covers a due moment: soon at first, less often while the API is down. */
export function nextLook(now: Date, able: Able | null): Date {
  const downMs = able ? now.getTime() - able.until.getTime() : PULSE_EVERY_MS
  return new Date(now.getTime() + Math.min(Math.max(downMs, PULSE_EVERY_MS), MINUTE_MS))
}
