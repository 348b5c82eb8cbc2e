import type { EntityManager } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { compact, valuesOf } from '../../kernel/fields.ts'
import { translationsOf } from '../../translations/read.ts'
import { componentsOf } from '../definition/components.ts'
import { compactState, identityOf, openIncidents, stageOf, stateOf } from '../definition/snapshot.ts'
import { groupFields } from './fields.ts'
import { snapshotGroup } from './subject.ts'

const listedFields = compact(groupFields)

const idsOf = (groups: BeatGroup[]) => groups.map(({ id }) => id)

export async function presentCompact(tx: EntityManager, groups: BeatGroup[]) {
  const components = await componentsOf(tx, 'beat_group', idsOf(groups))
  const open = await openIncidents(tx, groups)
  return groups.map((group) => ({
    ...identityOf(group),
    status_page_id: group.page_id,
    ...valuesOf(listedFields, group),
    has_component_warnings: components(group.id).component_warnings.length > 0,
    ...compactState(group, open),
  }))
}

/** Full groups, in a number of queries that does not grow with them. */
export async function presentFull(tx: EntityManager, groups: BeatGroup[]) {
  const ids = idsOf(groups)
  const components = await componentsOf(tx, 'beat_group', ids)
  const open = await openIncidents(tx, groups)
  const beats = await tx.find(Beat, { beat_group_id: { $in: ids } }, { orderBy: { id: 'asc' } })
  const members = Map.groupBy(beats, ({ beat_group_id }) => beat_group_id)
  const said = await translationsOf(tx, { beat_group: groups })
  return groups.map((group) => ({
    ...snapshotGroup(group),
    status_page_id: group.page_id,
    ...components(group.id),
    has_component_warnings: components(group.id).component_warnings.length > 0,
    member_monitor_ids: (members.get(group.id) ?? []).map(({ id }) => id),
    members: (members.get(group.id) ?? []).map(presentMember),
    ...stateOf(group, open),
    message_policy_translations: said('beat_group', group.id),
  }))
}

const presentMember = (beat: Beat) => ({
  id: beat.id,
  name: beat.name,
  external_id: beat.external_id ?? undefined,
  current_stage: stageOf(beat),
})
