import type { EntityManager } from '@mikro-orm/postgresql'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatComponent } from '../../../persistence/entities/beat-component.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { HierarchyItem } from '../../../persistence/entities/hierarchy-item.ts'
import { Maintenance } from '../../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../../persistence/entities/maintenance-item.ts'
import { withAncestors } from '../../../persistence/hierarchy.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { nameOf } from '../definition/owner.ts'
import { type Suppression, suppressedByMaintenance, suppressedBySwitch } from './suppression-rules.ts'

/** Why this beat or group takes no action now: a switch, or a maintenance in progress that affects all its items. */
export async function suppressionOf(
  { tx, now }: WorkContext,
  owner: Beat | BeatGroup,
  items: number[],
): Promise<Suppression | null> {
  const name = `the ${nameOf({ record: owner })}`
  return suppressedBySwitch(name, owner, now) ?? (items.length > 0 ? coveredBy(tx, name, items, now) : null)
}

async function coveredBy(tx: EntityManager, name: string, items: number[], now: Date): Promise<Suppression | null> {
  const open = { status: 'in_progress', ended_at: null }
  const windows = await tx.find(Maintenance, open, { orderBy: { id: 'asc' } })
  if (windows.length === 0) return null
  const rows = await tx.find(MaintenanceItem, { maintenance_id: { $in: windows.map(({ id }) => id) } })
  const byWindow = Map.groupBy(rows, ({ maintenance_id }) => maintenance_id)
  const covering = windows.map(({ id, title, scheduled_end_time }) => ({
    ...{ id, title, scheduled_end_time },
    items: (byWindow.get(id) ?? []).map(({ item_id }) => item_id),
  }))
  return suppressedByMaintenance(name, items, await withAncestors(tx, items), covering, now)
}

/** The items of these beats or groups, without deleted and archived items. */
export async function itemsOf(
  { tx }: Pick<WorkContext, 'tx'>,
  owner_kind: BeatComponent['owner_kind'],
  owners: number[],
): Promise<number[]> {
  const rows = await tx.find(BeatComponent, { owner_kind, owner_id: { $in: owners } }, { orderBy: { id: 'asc' } })
  if (rows.length === 0) return []
  const mapped = [...new Set(rows.map(({ item_id }) => item_id))]
  const there = await tx.find(HierarchyItem, { id: { $in: mapped }, archived_at: null })
  return mapped.filter((id) => there.some((item) => item.id === id))
}
