import type { Group } from '../domain/pages/summary/state-rules.ts'
import type { PageView } from '../domain/pages/views/home.ts'

/** The order and the folding of the page. Pure: no clock, no database. */

type StatusType = PageView['status_types'][number]

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
