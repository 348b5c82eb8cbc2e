import type { PageView } from '../domain/pages/home.ts'

/** The sentences and the order of the page. Pure: no clock, no database. */

type StatusType = PageView['status_types'][number]
type Item = PageView['items'][number]
type Report = Pick<PageView['open_incidents'][number], 'status' | 'affected_items'>
type Facts = Pick<PageView, 'status_types' | 'items' | 'open_incidents' | 'active_maintenances'>

/** The status of items under maintenance. */
const MAINTENANCE = 'maintenance'

export interface State {
  /** The key of the worst status on the page. */
  status: string
  sentence: string
}

/** The state of the page in one sentence, from the worst status of items and open incidents. */
export function stateOf({ status_types, items, open_incidents, active_maintenances }: Facts): State {
  const work = active_maintenances.map((maintenance) => ({ ...maintenance, status: MAINTENANCE }))
  const reports = [...open_incidents, ...work]
  const status = worst(status_types, [...items, ...reports])
  const type = status_types.find((candidate) => candidate.key === status)
  if (!type || type.is_operational) return { status, sentence: 'All systems are operational.' }
  const names = inTrouble(items, reports, status).map(labels(items))
  return { status, sentence: sentence(type.name, names) }
}

/** An unknown status counts as mild. */
function worst(types: StatusType[], things: { status: string }[]): string {
  const severity = new Map(types.map((type) => [type.key, type.display_order]))
  let result = types.find((type) => type.is_operational)?.key ?? 'operational'
  for (const { status } of things) {
    if ((severity.get(status) ?? -1) > (severity.get(result) ?? -1)) result = status
  }
  return result
}

/** Endings of status names that are nouns: "Outage of Search", but "Degraded: Search". */
const noun = /(outage|downtime|disruption|interruption|failure|loss|degradation|performance|maintenance)$/i

function sentence(statusName: string, names: string[]): string {
  const start = statusName.charAt(0).toUpperCase() + statusName.slice(1)
  if (names.length === 0) return `${start}.`
  return `${start}${noun.test(statusName) ? ' of' : ':'} ${listed(names)}.`
}

function listed([first = '', second, ...others]: string[]): string {
  if (second === undefined) return first
  return others.length === 0 ? `${first} and ${second}` : `${first} and ${others.length + 1} more`
}

/**
 * The items to name. A parent has the worst status of its children, so the top of the tree would be too general: these are the
 * highest items that have the status in all children, or by an incident or a maintenance.
 */
function inTrouble(items: Item[], reports: Report[], status: string): Item[] {
  const reported = new Set(
    reports
      .filter((report) => report.status === status)
      .flatMap(({ affected_items = [] }) => affected_items.map((item) => item.id)),
  )
  const isWhole = (group: Group): boolean => {
    if (group.item.status !== status) return false
    const below = group.children.filter((child) => child.item.status === status)
    if (reported.has(group.item.id) || below.length === 0) return true
    return group.children.length > 1 && group.children.every(isWhole)
  }
  const visit = (group: Group): Item[] => (isWhole(group) ? [group.item] : group.children.flatMap(visit))
  return nest(items).flatMap(visit)
}

/** The name of an item, with its path or the name of its parent if the name is not unique. */
export function labels(items: Item[]): (item: { id: number; name: string; hierarchy_path?: string }) => string {
  const byId = new Map(items.map((item) => [item.id, item]))
  const uses = Map.groupBy(items, (item) => item.name)
  return ({ id, name, hierarchy_path }) => {
    const parent = byId.get(byId.get(id)?.parent_id ?? 0)
    if (!parent || uses.get(name)?.length === 1) return name
    return hierarchy_path ?? `${name} (${parent.name})`
  }
}

export interface Group {
  item: Item
  children: Group[]
  /** How many items are below it, at any depth. */
  size: number
}

/** The items as a tree in display order. An item without its parent on the page is at the top. */
export function nest(items: Item[]): Group[] {
  const known = new Set(items.map((item) => item.id))
  const ordered = [...items].sort((a, b) => a.display_order - b.display_order || a.id - b.id)
  const below = Map.groupBy(ordered, ({ parent_id }) => (known.has(parent_id ?? 0) ? parent_id : undefined))
  const groupOf = (item: Item): Group => {
    const children = (below.get(item.id) ?? []).map(groupOf)
    return { item, children, size: children.reduce((sum, child) => sum + 1 + child.size, 0) }
  }
  return (below.get(undefined) ?? []).map(groupOf)
}

const BIG = 9
const BIG_INSIDE = 3

/** Large groups can be folded, and smaller groups inside them, so that problems are visible. */
export const isFoldable = (group: Group, inside: boolean) => group.size >= (inside ? BIG_INSIDE : BIG)

export function isCalm(group: Group, types: StatusType[]): boolean {
  const operational = types.find((type) => type.is_operational)?.key ?? 'operational'
  return group.item.status === operational && group.children.every((child) => isCalm(child, types))
}

const NAMED_ITEMS = 12

/** The visible names and the folded names. */
export const foldNames = <N>(names: N[]) => ({ shown: names.slice(0, NAMED_ITEMS), folded: names.slice(NAMED_ITEMS) })

const NEWEST_UPDATES = 5
const MOST_UPDATES = 100

/** The visible updates, the folded updates, and the number of updates that only the API shows. */
export function timelineOf<U>(updates: U[]): { newest: U[]; older: U[]; left: number } {
  return {
    newest: updates.slice(0, NEWEST_UPDATES),
    older: updates.slice(NEWEST_UPDATES, MOST_UPDATES),
    left: Math.max(0, updates.length - MOST_UPDATES),
  }
}
