import { childrenOf, depthOf, LEVELS, mayStand, rewrite, shownOf, statusOf } from './model.ts'
import { ago, ITEMS, type Picked, type Plan, pick } from './operation.ts'

/** Operations on items and on their status events. */

export function override({ world, item, status, flag, c }: Picked): Plan {
  const until = c % 3 === 0 ? ago(world, -2.5) : undefined
  const done = () => {
    item.override = flag ? { status, until } : undefined
  }
  const request = flag ? { method: 'PUT', body: { status, reason: 'R', until } } : { method: 'DELETE' }
  return { ...request, path: `${ITEMS}/${item.id}/status`, expect: 200, done }
}

export function move({ world, item, other, flag }: Picked): Plan {
  const parent = flag ? other : null
  const done = () => {
    item.parent = parent
  }
  const body = { depth: parent ? depthOf(parent) + 1 : 1, parent_id: parent?.id ?? null }
  const expect = mayStand(world, item, parent) ? 200 : 400
  return { method: 'POST', path: `${ITEMS}/${item.id}/move`, body, expect, done }
}

export function deleteItem({ world, item }: Picked): Plan | undefined {
  if (shownOf(world).length < 3) return undefined
  const spoken = world.incidents.some(({ impacts }) => impacts.some((one) => one.item === item))
  const above = world.items.some((one) => one.parent === item)
  const used = spoken || above || item.past.length > 1
  // The item may have status events of an incident that no longer names the item.
  const unsure = world.rewrites || item.rewritten
  if (unsure && !spoken && !above) return undefined
  const done = () => void world.items.splice(world.items.indexOf(item), 1)
  return { method: 'DELETE', path: `${ITEMS}/${item.id}`, expect: used ? 409 : 200, done }
}

export function archive({ world, item }: Picked): Plan | undefined {
  if (shownOf(world).length < 3 || item.override) return undefined
  const done = () => {
    item.archived = { status: statusOf(world, item) }
  }
  const expect = childrenOf(world, item).length > 0 ? 409 : 200
  return { method: 'DELETE', path: `${ITEMS}/${item.id}?archive=true`, expect, done }
}

/** A restored item gets the status events of the time in the archive. */
export function restore({ archived: item }: Picked): Plan | undefined {
  if (!item) return undefined
  const done = () => {
    item.archived = undefined
    item.rewritten = true
  }
  const expect = item.parent?.archived || depthOf(item) > LEVELS ? 400 : 200
  return { method: 'PATCH', path: `${ITEMS}/${item.id}`, body: { archived: false }, expect, done }
}

interface StatusEvent {
  id: number
  event_time: string
}

const eventsOf = async ({ item, read }: Picked): Promise<StatusEvent[]> =>
  (await read(`${ITEMS}/${item.id}/status-events`)).events

/** Half way to the event before it; or behind the one after it, or the present, which is refused. */
export async function correctEvent(picked: Picked): Promise<Plan | undefined> {
  const { world, item, flag, c } = picked
  const events = await eventsOf(picked)
  const event = pick(events, c)
  if (!event) return undefined
  const index = events.indexOf(event)
  const at = (one: StatusEvent | undefined) => one && new Date(one.event_time).getTime()
  const earlier = at(events[index + 1]) ?? at(event)! - 2000
  const later = at(events[index - 1]) ?? world.now.getTime()
  const event_time = new Date(flag ? Math.floor((earlier + at(event)!) / 2) : later + 1)
  const body = { event_time, correction_note: 'C' }
  const done = () => rewrite(item)
  const path = `/admin/status-events/${event.id}/time`
  return { method: 'POST', path, body, expect: flag ? 200 : 400, done }
}

export async function deleteEvent(picked: Picked): Promise<Plan | undefined> {
  const event = pick(await eventsOf(picked), picked.c)
  if (!event) return undefined
  const done = () => rewrite(picked.item)
  return { method: 'DELETE', path: `/admin/status-events/${event.id}?reason=R`, expect: 200, done }
}
