/** What incidents and items ought to be, as simply as it can be said. It knows the contract and none of the code. */

export const severity = ['operational', 'degraded', 'partial_outage', 'major_outage'] as const
export type Status = (typeof severity)[number]

export interface Entry {
  id: number
  /** What an edit has made of it. */
  message?: string
  status: string
  previous_status: string
  is_resolution: boolean
}

interface Impact {
  item: Item
  /** null follows the incident. */
  status: Status | null
  /** `resolved`: the impact ended with its incident, and begins again when the incident is reopened. */
  state: 'open' | 'ended' | 'resolved'
}

export interface Incident {
  id: number
  version: number
  title: string
  status: string
  acknowledged: boolean
  entries: Entry[]
  impacts: Impact[]
}

export interface Item {
  id: number
  parent: Item | null
  override?: { status: Status; until?: Date }
  /** In the archive its status stands still. */
  archived?: { status: string }
  /** The statuses that it went through. */
  past: string[]
  /** Whether the status events were rewritten since; then `past` does not list them. */
  rewritten?: boolean
}

export interface World {
  items: Item[]
  incidents: Incident[]
  now: Date
  /** Whether operations may rewrite the past; then `past` does not list it. */
  rewrites: boolean
}

export const isResolved = (incident: Incident) => incident.status === 'resolved'

const worst = (list: string[]) =>
  severity[Math.max(0, ...list.map((status) => severity.indexOf(status as Status)))] as string

export function statusOf(world: World, item: Item): string {
  if (item.archived) return item.archived.status
  if (item.override) return item.override.status
  const open = world.incidents.filter((incident) => !isResolved(incident))
  const own = open.flatMap(({ impacts, status }) =>
    impacts.filter((one) => one.item === item && one.state === 'open').map((one) => one.status ?? status),
  )
  return worst([...own, ...childrenOf(world, item).map((one) => statusOf(world, one))])
}

export const shownOf = (world: World) => world.items.filter((item) => !item.archived)
export const childrenOf = (world: World, item: Item) => shownOf(world).filter((one) => one.parent === item)

/** A rewrite of the status events of an item rewrites the events of all its parents. */
export function rewrite(item: Item | null): void {
  if (!item) return
  item.rewritten = true
  rewrite(item.parent)
}

/** Each item that has moved remembers where it was. */
export function remember(world: World): void {
  for (const item of world.items) {
    const status = statusOf(world, item)
    if (status !== item.past.at(-1)) item.past.push(status)
  }
}

export function enter(incident: Incident, id: number, status: string): void {
  const previous_status = incident.status
  const resolves = status === 'resolved' && previous_status !== 'resolved'
  const opens = status !== 'resolved' && previous_status === 'resolved'
  incident.entries.push({ id, status, previous_status, is_resolution: resolves })
  for (const impact of incident.impacts) {
    if (resolves && impact.state === 'open') impact.state = 'resolved'
    else if (opens && impact.state === 'resolved') impact.state = 'open'
  }
  incident.status = status
  incident.version += 1
}

export const isTurn = (entry: Entry) =>
  entry.is_resolution || (entry.previous_status === 'resolved' && entry.status !== 'resolved')

/** What an entry says changes: the entry behind it and the incident follow, as far as they had it from there. */
export function reword(incident: Incident, entry: Entry, status: string): void {
  incident.version += 1
  const next = incident.entries[incident.entries.indexOf(entry) + 1]
  if (next?.previous_status === entry.status) next.previous_status = status
  if (!next && incident.status === entry.status) incident.status = status
}

export const depthOf = (item: Item): number => (item.parent ? depthOf(item.parent) + 1 : 1)
const heightOf = (world: World, item: Item): number =>
  Math.max(0, ...childrenOf(world, item).map((one) => heightOf(world, one) + 1))
const isBelow = (item: Item | null, ancestor: Item): boolean =>
  item !== null && (item === ancestor || isBelow(item.parent, ancestor))

export const LEVELS = 3
export const mayStand = (world: World, item: Item, parent: Item | null) =>
  !isBelow(parent, item) && (parent ? depthOf(parent) + 1 : 1) + heightOf(world, item) <= LEVELS
