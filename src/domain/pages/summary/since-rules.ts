/** Since when the page has its status. Pure: times are milliseconds. */

interface NewestChange {
  status: string
  previous_status: string
  earliest: number
  latest: number
}

interface Facts {
  /** The status of the page. */
  status: string
  severityOf(status: string): number
  /** The newest status events of the items. */
  changes: NewestChange[]
  /** Incidents and maintenances with the status of the page. */
  starts: number[]
  /** The ends of past incidents and maintenances that are in no status event. */
  ends: number[]
}

/**
 * The earliest beginning among the items, incidents and maintenances that have the status of the page, or the end of a worse status
 * after that. null if the page never had another status.
 */
export function statusSince({ status, severityOf, changes, starts, ends }: Facts): number | null {
  const worse = (other: string) => severityOf(other) > severityOf(status)
  const ended = changes.filter(({ previous_status }) => worse(previous_status)).map(({ latest }) => latest)
  const begun = changes.filter((change) => change.status === status && !worse(change.previous_status))
  const began = [...begun.map(({ earliest }) => earliest), ...starts]
  const moments = [...(began.length > 0 ? [Math.min(...began)] : []), ...ended, ...ends]
  return moments.length > 0 ? Math.max(...moments) : null
}
