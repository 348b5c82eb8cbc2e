import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

export const LifecycleStage = defineEntity({
  name: 'LifecycleStage',
  tableName: 'lifecycle_stage',
  policies: pagePolicies(),
  uniques: [
    { name: 'lifecycle_stage_name_key', properties: ['page_id', 'kind', 'name'] },
    { name: 'lifecycle_stage_wall_key', properties: ['page_id', 'id'] },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    kind: p.text().$type<'incident' | 'maintenance'>(),
    name: p.text(),
    description: p.text(),
    color: p.text(),
    display_order: p.integer(),
    is_default: p.boolean(),
    archived: p.boolean(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type LifecycleStage = InferEntity<typeof LifecycleStage>
