/** The incidents or maintenances of each item and day. Pure: times are milliseconds. */

interface Span {
  id: number
  item_id: number
  from: number
  /** null while it is open. */
  to: number | null
}

/** Bounds the answer: the ids of an item and a day. */
const MOST_IDS = 50

/** The ids of an item by the index of the day; a day without ids is absent. */
export type IdsByDay = (number[] | undefined)[]

/**
 * The spans, in the order of their ids, reach their items and all items above: these have the status of what is below. Each bound
 * is the start of a day, except the last one, which is the end of the window.
 */
export function idsByDay(spans: Span[], bounds: number[], parentOf: (itemId: number) => number | null | undefined) {
  const found = new Map<number, IdsByDay>()
  for (const { id, item_id, from, to } of spans) {
    const until = to ?? Number.POSITIVE_INFINITY
    const first = Math.max(0, lastAtOrBefore(bounds, from))
    for (let item: number | null | undefined = item_id; typeof item === 'number'; item = parentOf(item)) {
      const days = found.get(item) ?? []
      found.set(item, days)
      for (let day = first; day < bounds.length - 1 && (bounds[day]! < until || day === first); day += 1)
        add(days, day, id)
    }
  }
  return found
}

function add(days: IdsByDay, day: number, id: number): void {
  const ids = days[day]
  if (!ids) days[day] = [id]
  else if (ids.at(-1) !== id && ids.length < MOST_IDS) ids.push(id)
}

function lastAtOrBefore(bounds: number[], instant: number): number {
  let [low, high] = [0, bounds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (bounds[middle]! <= instant) low = middle + 1
    else high = middle
  }
  return low - 1
}
