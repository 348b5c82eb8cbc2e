/** What the status events of an item become when more is learned of its past. Pure: instants are milliseconds. */

export interface PastEvent {
  id: number
  at: number
  status: string
  previous_status: string
}

/** A time in which something held the item down; without an end it still does. */
export interface Held {
  from: number
  to: number
  status: string
}

export interface RewrittenPast {
  /** Events to be added, in order. One that shares its time with others comes after them. */
  added: Omit<PastEvent, 'id'>[]
  /** Events that stay and follow another status now. */
  followed: Pick<PastEvent, 'id' | 'previous_status'>[]
  /** What the item is after its last event. */
  last: string
}

/**
 * At each moment the worse of what was known and what is added. No event is moved, changed or taken away, so that each
 * still tells what happened and may be corrected: where one would say less than what is added, another follows it at
 * once and says the worse again.
 */
export function withPast(
  events: PastEvent[],
  first: string,
  held: Held[],
  worst: (statuses: string[]) => string,
): RewrittenPast {
  const times = [...events.map(({ at }) => at), ...held.flatMap(({ from, to }) => [from, to])]
  const added: RewrittenPast['added'] = []
  const followed: RewrittenPast['followed'] = []
  let known = first
  let told = first
  for (const at of [...new Set(times)].filter(Number.isFinite).sort((a, b) => a - b)) {
    for (const event of events) {
      if (event.at !== at) continue
      if (told !== known) followed.push({ id: event.id, previous_status: told })
      known = event.status
      told = event.status
    }
    const holds = held.filter(({ from, to }) => from <= at && at < to).map(({ status }) => status)
    const status = holds.length === 0 ? known : worst([known, ...holds])
    if (status === told) continue
    added.push({ at, status, previous_status: told })
    told = status
  }
  return { added, followed, last: told }
}

/**
 * What of it reaches the items and all above them: nothing passes an item that is archived or stands as it was set by
 * hand, from when on that is so.
 */
export function heldUpwards(
  items: Map<number, { parent_id: number | null }>,
  closedFrom: Map<number, number | undefined>,
  itemIds: number[],
  held: Held[],
): Map<number, Held[]> {
  const reached = new Map<number, Held[]>()
  for (const itemId of itemIds) {
    let passing = held
    for (let id: number | null = itemId; id !== null; id = items.get(id)?.parent_id ?? null) {
      const closed = closedFrom.get(id) ?? Number.POSITIVE_INFINITY
      passing = passing.map((one) => ({ ...one, to: Math.min(one.to, closed) })).filter(({ from, to }) => from < to)
      const list = reached.get(id) ?? []
      list.push(...passing)
      reached.set(id, list)
    }
  }
  return reached
}
