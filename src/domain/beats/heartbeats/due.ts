import type { Schedule } from '../../../persistence/entities/heartbeat.ts'
import { nextOfCron } from '../types/cron.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
/** No rule counts further. */
const MOST_COUNTED = 100

export const graceOf = ({ grace_seconds = 0 }: Schedule) => grace_seconds * 1000
const plus = (moment: Date, ms: number) => new Date(moment.getTime() + ms)

/** Whether calls are expected at the same times, however long each may be late. */
export const isExpectedAlike = (one: Schedule, other: Schedule): boolean =>
  one.period_seconds === other.period_seconds && one.cron === other.cron && one.timezone === other.timezone

/** The moment after which silence is a failure, if the last that was heard or missed was then. */
export function dueAfter(schedule: Schedule, last: Date): Date {
  const { period_seconds, cron = '', timezone = 'UTC' } = schedule
  const expected =
    period_seconds === undefined
      ? (nextOfCron(cron, timezone, last) ?? plus(last, YEAR_MS))
      : plus(last, period_seconds * 1000)
  return plus(expected, graceOf(schedule))
}

/** How many due moments have passed in silence, the first of them being `due`, and which is the next. */
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
