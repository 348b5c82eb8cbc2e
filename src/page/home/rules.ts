import type { Group } from '../../domain/pages/summary/state-rules.ts'
import type { PageView } from '../../domain/pages/views/home.ts'
import type { Settings } from '../../domain/settings/schema.ts'
import { SECTIONS, type Section } from '../../domain/settings/section-rules.ts'

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

/** The sections of the page in order, without hidden ones. */
export function sectionsInOrder({ homepage_section_order: named, homepage_hidden_sections: hidden }: Order): Section[] {
  const others = SECTIONS.filter((section) => !named.includes(section))
  return [...named, ...others].filter((section) => !(hidden as Section[]).includes(section))
}

type Order = Pick<Settings, 'homepage_section_order' | 'homepage_hidden_sections'>

/** The views of the items that readers can choose, and the one that they see. */
export function viewsOf(
  settings: Pick<
    Settings,
    'enable_tree_view_on_homepage' | 'enable_basic_view_on_homepage' | 'homepage_hierarchy_view_mode'
  >,
  asked: string | undefined,
): { views: View[]; view: View } {
  const views: View[] = []
  if (settings.enable_tree_view_on_homepage) views.push('tree')
  if (settings.enable_basic_view_on_homepage) views.push('basic')
  const view = [asked, settings.homepage_hierarchy_view_mode].find((one) => views.includes(one as View)) ?? views[0]
  return { views, view: (view ?? 'tree') as View }
}

export type View = 'tree' | 'basic'

/** An item with everything below it; undefined if the item does not exist. */
export function subtreeOf<I extends { id: number; parent_id?: number }>(items: I[], root: number): I[] | undefined {
  const top = items.find(({ id }) => id === root)
  if (!top) return undefined
  const inside = new Set([root])
  // Items are ordered level by level, so each parent comes before its children.
  for (const { id, parent_id } of items) if (parent_id !== undefined && inside.has(parent_id)) inside.add(id)
  return items.filter(({ id }) => inside.has(id))
}

/** Records in groups with a common key, in the order of the first record of each group. */
export function groupedBy<R>(records: R[], keysOf: (record: R) => string[]): [string, R[]][] {
  const groups = new Map<string, R[]>()
  for (const record of records) {
    for (const key of keysOf(record)) {
      const group = groups.get(key) ?? []
      groups.set(key, group)
      group.push(record)
    }
  }
  return [...groups]
}
