/**
 * A short delay is the normal delay of a timer and of a busy machine; a longer delay is shown as late. The least delay
 * matters for tests, whose minutes are short.
 */
const SHARE_OF_A_MINUTE = 1 / 12
const LEAST_MS = 500

export const isLate = (now: Date, due: Date, minuteMs: number): boolean =>
  now.getTime() - due.getTime() > Math.max(minuteMs * SHARE_OF_A_MINUTE, LEAST_MS)

/** A little more than now is a client whose clock is ahead. */
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000

export function isFuture(moment: Date, now: Date): boolean {
  return moment.getTime() > now.getTime() + CLOCK_TOLERANCE_MS
}
