import type { Dated, Hold, OutageRows, StatusRow } from './outage-rows.ts'
import type { Items, Outage } from './outage-setup.ts'

/** Whether recorded times are the moments of doing, without any of the service's own code. */

/** How much older than its commit a row may be: its step has waited for locks, and the machine for its turn. */
const LONGEST_STEP_MS = 5000
/** What two rows of one step say may lie apart by this much: each is of the moment at which its lock was held. */
const APART_MS = 1000

const iso = (moment: number) => new Date(moment).toISOString()

/** Nothing is recorded before it was begun or after it was done, so nothing as done while the database was away. */
export function* timeProblems(dated: Dated[], outage: Outage): Generator<string> {
  for (const { table, id, recorded, committed } of dated) {
    const row = `${table} ${id} says ${iso(recorded)}, and was committed at ${iso(committed)}`
    if (recorded > outage.from && recorded < outage.until) yield `${row}: the database was away at first`
    else if (recorded > committed) yield `${row}: before that`
    else if (committed - recorded > LONGEST_STEP_MS) yield `${row}: long after that`
  }
}

/** By table: how many rows there are, and how long before its commit the oldest moment lies. */
export function lagsOf(dated: Dated[]): Record<string, string> {
  const tables = Map.groupBy(dated, ({ table }) => table)
  return Object.fromEntries(
    [...tables].map(([table, rows]) => {
      const most = Math.max(...rows.map(({ recorded, committed }) => committed - recorded))
      return [table, `${rows.length} rows, at most ${Math.ceil(most)} ms before their commit`]
    }),
  )
}

/** The events of an item have one order, whichever way they are put in order, and each follows the one before it. */
export function* orderProblems(statuses: StatusRow[]): Generator<string> {
  for (const [item, events] of Map.groupBy(statuses, ({ item_id }) => item_id)) {
    let last: StatusRow | undefined
    for (const event of events.toSorted((a, b) => a.id - b.id)) {
      const what = `item ${item}: status event ${event.id}`
      if (last && event.committed < last.committed) yield `${what} was committed before ${last.id}`
      if (last && event.at < last.at) yield `${what} is said to be from before ${last.id}`
      const before = last?.status ?? 'operational'
      if (event.previous_status !== before) yield `${what} follows "${event.previous_status}" and not "${before}"`
      last = event
    }
  }
}

/** An event that a window has caused is of the moment of one of its entries, or of just after that. */
export function* causeProblems({ statuses, entries }: Pick<OutageRows, 'statuses' | 'entries'>): Generator<string> {
  for (const { id, item_id, at, cause_kind, cause_id } of statuses) {
    if (cause_kind !== 'maintenance') continue
    const own = entries.filter(({ maintenance_id }) => maintenance_id === cause_id)
    if (own.some((entry) => entry.at <= at && at - entry.at < APART_MS)) continue
    yield `item ${item_id}: status event ${id} is of ${iso(at)}, and no entry of window ${cause_id} is`
  }
}

/** At each time the status events of an item agree with its windows and incidents. */
export function* courseProblems(
  { statuses, holds }: Pick<OutageRows, 'statuses' | 'holds'>,
  { parent, children, both, ill }: Items,
  horizon: number,
): Generator<string> {
  const below = new Map([...children, ...both, ...ill].map((item) => [item, [item]]))
  for (const [item, leaves] of below.set(parent, children)) {
    const events = statuses.filter(({ item_id }) => item_id === item)
    const held = holds.filter(({ item_id }) => leaves.includes(item_id))
    const moments = [...events.map(({ at }) => at), ...held.flatMap(({ from, until }) => [from, until ?? horizon])]
    const inOrder = [...moments.filter((moment) => moment < horizon), horizon].sort((a, b) => a - b)
    for (const [index, until] of inOrder.entries()) {
      const from = inOrder[index - 1] ?? until
      if (until - from < APART_MS) continue
      const middle = (from + until) / 2
      const shown = events.findLast(({ at }) => at <= middle)?.status ?? 'operational'
      const is = worstAt(held, middle)
      if (shown !== is)
        yield `item ${item} has events of "${shown}" from ${iso(from)} to ${iso(until)}, and was "${is}"`
    }
  }
}

function worstAt(holds: Hold[], moment: number): string {
  const now = holds.filter(({ from, until }) => from <= moment && moment < (until ?? Number.POSITIVE_INFINITY))
  return ['degraded', 'maintenance'].find((status) => now.some((hold) => hold.status === status)) ?? 'operational'
}
