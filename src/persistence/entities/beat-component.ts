import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, json, pageId, pagePolicies } from './columns.ts'

/** A mapped item of a beat or a group. A deleted item is a warning, not an error. */
export const BeatComponent = defineEntity({
  name: 'BeatComponent',
  tableName: 'beat_component',
  policies: pagePolicies(),
  uniques: [{ name: 'beat_component_key', properties: ['page_id', 'owner_kind', 'owner_id', 'item_id'] }],
  indexes: [{ name: 'beat_component_item_idx', properties: ['page_id', 'item_id'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    owner_kind: p.text().$type<'beat' | 'beat_group'>(),
    owner_id: p.integer(),
    item_id: p.integer(),
    /** The names of the item at the moment of the mapping. */
    reference: json<{ id: number; slug: string; external_id?: string }>(),
  },
})
export type BeatComponent = InferEntity<typeof BeatComponent>
