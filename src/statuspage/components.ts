import { nest } from '../domain/pages/summary/state-rules.ts'
import type { StatuspageView } from '../domain/statuspage/read.ts'
import { componentStatus } from './status-rules.ts'
import { dateIn, timeIn } from './times.ts'

type Group = ReturnType<typeof nest>[number]

/** The items of a page as components, each parent before its children. A parent is a group. */
export function componentsOf({ page, status_types, items }: StatuspageView) {
  const at = timeIn(page.time_zone)
  const dateOf = dateIn(page.time_zone)
  const byId = new Map(items.map((item) => [item.id, item]))
  const present = ({ item: { id }, children }: Group, position: number, parent?: Group) => {
    const { name, status, created_at, updated_at, start_date, description } = byId.get(id)!
    return {
      id: String(id),
      name,
      status: componentStatus(status_types, status),
      created_at: at(created_at),
      updated_at: at(updated_at),
      position,
      ...(description && { description }),
      showcase: false,
      start_date: dateOf(start_date),
      group_id: parent ? String(parent.item.id) : null,
      page_id: String(page.id),
      group: children.length > 0,
      only_show_if_degraded: false,
      ...(children.length > 0 && { components: children.map((child) => String(child.item.id)) }),
    }
  }
  const flatten = (groups: Group[], parent?: Group): ReturnType<typeof present>[] =>
    groups.flatMap((group, index) => [present(group, index + 1, parent), ...flatten(group.children, group)])
  return flatten(nest(items))
}

export type Component = ReturnType<typeof componentsOf>[number]
