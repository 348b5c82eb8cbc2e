import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { actingColumns } from './acting.ts'
import { id, pageId, pagePolicies } from './columns.ts'

/** Beats whose stages count together: the stage of the group is the worst of theirs, and the group takes the public actions. */
export const BeatGroup = defineEntity({
  name: 'BeatGroup',
  tableName: 'beat_group',
  policies: pagePolicies(),
  uniques: [
    { name: 'beat_group_external_id_key', properties: ['page_id', 'external_id'] },
    { name: 'beat_group_wall_key', properties: ['page_id', 'id'] },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    message_source_mode: p.text().$type<'group' | 'member'>(),
    ...actingColumns(),
  },
})
export type BeatGroup = InferEntity<typeof BeatGroup>
