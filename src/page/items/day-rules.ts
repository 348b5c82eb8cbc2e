import type { PageHistory } from '../../domain/uptime/page-history.ts'

/** The days of an item in the rows of a table. Pure. */

type Day = PageHistory['items'][number]['days'][number]

/** Days in a row with the same uptime in one status, and without records, are one run. */
export function runsOf(days: Day[]): Day[][] {
  const runs: Day[][] = []
  for (const day of days) {
    const run = runs.at(-1)
    if (run && isAlike(run.at(-1)!, day)) run.push(day)
    else runs.push([day])
  }
  return runs
}

const isAlike = (one: Day, other: Day) =>
  isUneventful(one) &&
  isUneventful(other) &&
  one.uptime_percent === other.uptime_percent &&
  Object.keys(one.seconds)[0] === Object.keys(other.seconds)[0]

const isUneventful = ({ seconds, incident_ids, maintenance_ids }: Day) =>
  Object.keys(seconds).length <= 1 && incident_ids.length + maintenance_ids.length === 0
