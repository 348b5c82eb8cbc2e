import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** A prepared message of operators and automation, with variables. */
export const Preset = defineEntity({
  name: 'Preset',
  tableName: 'preset',
  policies: pagePolicies(),
  uniques: [{ name: 'preset_wall_key', properties: ['page_id', 'id'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    title: p.text(),
    body: p.text(),
    category: p.text(),
    auto_post_on_maintenance_start: p.boolean(),
    auto_post_on_maintenance_completion: p.boolean(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type Preset = InferEntity<typeof Preset>
