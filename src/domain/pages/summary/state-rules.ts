import { MAINTENANCE } from '../../vocabulary/rules.ts'
import type { PageView } from '../views/home.ts'

/** The state of the page. Pure: no clock, no database. */

type StatusType = Pick<PageView['status_types'][number], 'key' | 'is_operational' | 'display_order'>
type Item = PageView['items'][number]
type Report = Pick<PageView['open_incidents'][number], 'status' | 'affected_items'>
interface Facts {
  status_types: StatusType[]
  items: Item[]
  open_incidents: Report[]
  active_maintenances: Pick<Report, 'affected_items'>[]
}

export interface State {
  /** The key of the worst status on the page. */
  status: string
  /** The names of the items that the sentence names. */
  items: string[]
}

/** The worst status of items, open incidents and maintenances in progress. */
export function stateOf({ status_types, items, open_incidents, active_maintenances }: Facts): State {
  const work = active_maintenances.map((maintenance) => ({ ...maintenance, status: MAINTENANCE }))
  const reports = [...open_incidents, ...work]
  const status = worst(status_types, [...items, ...reports])
  const type = status_types.find((candidate) => candidate.key === status)
  if (!type || type.is_operational) return { status, items: [] }
  return { status, items: inTrouble(items, reports, status).map(labels(items)) }
}

/** An unknown status counts as mild. */
function severityIn(types: StatusType[]): (thing: { status: string }) => number {
  const severity = new Map(types.map((type) => [type.key, type.display_order]))
  return ({ status }) => severity.get(status) ?? -1
}

function worst(types: StatusType[], things: { status: string }[]): string {
  const severityOf = severityIn(types)
  const calm = { status: types.find((type) => type.is_operational)?.key ?? 'operational' }
  return things.reduce((result, one) => (severityOf(one) > severityOf(result) ? one : result), calm).status
}

/** The worst first; those of the same status stay in their order. */
export function worstFirst<R extends { status: string }>(reports: R[], types: StatusType[]): R[] {
  const severityOf = severityIn(types)
  return reports.toSorted((one, other) => severityOf(other) - severityOf(one))
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
