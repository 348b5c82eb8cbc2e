/**
 * A little is the ordinary delay of a timer and of a busy machine; more is a time down, and people are told so. Tests
 * whose minutes are short have machines that are as slow as any.
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
