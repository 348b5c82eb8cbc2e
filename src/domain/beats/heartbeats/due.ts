import type { Schedule } from '../../../persistence/entities/heartbeat.ts'
import { nextOfCron } from '../types/cron.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
/** Threshold rules count at most this many failures. */
const MOST_COUNTED = 100

export const graceOf = ({ grace_seconds = 0 }: Schedule) => grace_seconds * 1000
const plus = (moment: Date, ms: number) => new Date(moment.getTime() + ms)

/** Whether two schedules expect calls at the same moments, with any grace. */
export const haveSameMoments = (one: Schedule, other: Schedule): boolean =>
  one.period_seconds === other.period_seconds && one.cron === other.cron && one.timezone === other.timezone

/** The moment after which the next call counts as missed; `last` is the moment of the last call or missed call. */
export function dueAfter(schedule: Schedule, last: Date): Date {
  const { period_seconds, cron = '', timezone = 'UTC' } = schedule
  const expected =
    period_seconds === undefined
      ? (nextOfCron(cron, timezone, last) ?? plus(last, YEAR_MS))
      : plus(last, period_seconds * 1000)
  return plus(expected, graceOf(schedule))
}

/** How many due moments have passed without a call, from `due` on, and the next due moment. */
export function missed(schedule: Schedule, due: Date, now: Date): { count: number; next: Date } {
  const { period_seconds } = schedule
  if (period_seconds !== undefined) {
    const periodMs = period_seconds * 1000
    const count = due > now ? 0 : Math.floor((now.getTime() - due.getTime()) / periodMs) + 1
    return { count, next: plus(due, count * periodMs) }
  }
  let [count, next] = [0, due]
  for (; next <= now && count < MOST_COUNTED; count += 1) next = dueAfter(schedule, plus(next, -graceOf(schedule)))
  return { count, next: next > now ? next : dueAfter(schedule, plus(now, -graceOf(schedule))) }
}
