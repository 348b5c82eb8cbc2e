import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, json, pageId, wall } from './columns.ts'

/** An item that a beat or a group of beats stands for. The item may be gone: then this is a warning, not an error. */
export const BeatComponent = defineEntity({
  name: 'BeatComponent',
  tableName: 'beat_component',
  policies: wall(),
  uniques: [{ name: 'beat_component_key', properties: ['page_id', 'owner_kind', 'owner_id', 'item_id'] }],
  indexes: [{ name: 'beat_component_item_idx', properties: ['page_id', 'item_id'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    owner_kind: p.text().$type<'beat' | 'beat_group'>(),
    owner_id: p.integer(),
    item_id: p.integer(),
    /** What the item was called when it was named here. */
    reference: json<{ id: number; slug: string; external_id?: string }>(),
  },
})
export type BeatComponent = InferEntity<typeof BeatComponent>
