import type { Pulse } from '../../../persistence/api-pulses.ts'
import type { Schedule } from '../../../persistence/entities/heartbeat.ts'
import { dueAfter, graceOf } from './due.ts'

/** How often each API process stores that it can take calls. */
export const PULSE_EVERY_MS = 5000
/** A process without a pulse for longer than this may have refused calls: its machine was off, or the process was frozen. */
export const LONGEST_SILENCE_MS = 3 * PULSE_EVERY_MS

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Pulses are stored for longer than this, so older gaps do not matter. */
export const LONGEST_LOOK_BACK_MS = 7 * 24 * HOUR_MS

/** A span of time in which at least one API process could take calls at each moment. */
export interface Availability {
  since: Date
  until: Date
}

/** The most recent availability. The pulses are sorted, most recent first. */
export function lastAvailability(pulses: Pulse[]): Availability | null {
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
 * The moment after which a missing call counts as missed, given the present availability. A target tries its call around the
 * expected moment, so only a gap around that moment may have refused the call. After such a gap the next period counts from
 * the end of the gap.
 */
export function dueWhileAvailable(schedule: Schedule, due: Date, { since }: Availability): Date {
  const periodMs = schedule.period_seconds === undefined ? HOUR_MS : schedule.period_seconds * 1000
  const lookBackMs = Math.min(graceOf(schedule) + Math.min(periodMs, HOUR_MS), LONGEST_LOOK_BACK_MS)
  if (since.getTime() <= due.getTime() - lookBackMs) return due
  const next = dueAfter(schedule, since)
  return next > due ? next : due
}

/** When to read the pulses again until a pulse covers the due moment: soon at first, less often while the API is down. */
export function nextPulseRead(now: Date, available: Availability | null): Date {
  const downMs = available ? now.getTime() - available.until.getTime() : PULSE_EVERY_MS
  return new Date(now.getTime() + Math.min(Math.max(downMs, PULSE_EVERY_MS), MINUTE_MS))
}
