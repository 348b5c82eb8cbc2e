/** Adds a past impact to the status events of an item. Pure: times are milliseconds. */

export interface PastEvent {
  id: number
  at: number
  status: string
  previous_status: string
}

/** A time with a status that an impact gives; infinite while the impact is open. */
export interface Held {
  from: number
  to: number
  status: string
}

export interface RewrittenPast {
  /** Events to add, in order; an added event follows the existing events of the same time. */
  added: Omit<PastEvent, 'id'>[]
  /** Existing events with a new previous status. */
  followed: Pick<PastEvent, 'id' | 'previous_status'>[]
  /** The status after the last event. */
  last: string
}

/**
 * At each moment the worse of the recorded status and the added status. No event is moved, changed or removed, so that each
 * event can still be corrected: where an event has a milder status than the added one, a new event at the same time records
 * the worse status again.
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
  let current = first
  for (const at of [...new Set(times)].filter(Number.isFinite).sort((a, b) => a - b)) {
    for (const event of events) {
      if (event.at !== at) continue
      if (current !== known) followed.push({ id: event.id, previous_status: current })
      known = event.status
      current = event.status
    }
    const holds = held.filter(({ from, to }) => from <= at && at < to).map(({ status }) => status)
    const status = holds.length === 0 ? known : worst([known, ...holds])
    if (status === current) continue
    added.push({ at, status, previous_status: current })
    current = status
  }
  return { added, followed, last: current }
}

/**
 * The part of an impact that reaches each item and each parent. An archived item and an item with an override pass on
 * nothing from the time of the archiving or the override.
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
