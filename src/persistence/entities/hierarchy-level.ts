import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, pageId, pagePolicies } from './columns.ts'

export const HierarchyLevel = defineEntity({
  name: 'HierarchyLevel',
  tableName: 'hierarchy_level',
  policies: pagePolicies(),
  uniques: [{ name: 'hierarchy_level_depth_key', properties: ['page_id', 'depth'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    depth: p.integer(),
    singular: p.text(),
    plural: p.text(),
    version: p.integer(),
  },
})
export type HierarchyLevel = InferEntity<typeof HierarchyLevel>
