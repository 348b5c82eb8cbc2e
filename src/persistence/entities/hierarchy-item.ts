import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, json, moment, pageId, pagePolicies } from './columns.ts'

export const HierarchyItem = defineEntity({
  name: 'HierarchyItem',
  tableName: 'hierarchy_item',
  policies: pagePolicies(),
  uniques: [
    { name: 'hierarchy_item_slug_key', properties: ['page_id', 'slug'] },
    { name: 'hierarchy_item_external_id_key', properties: ['page_id', 'external_id'] },
    { name: 'hierarchy_item_wall_key', properties: ['page_id', 'id'] },
  ],
  indexes: [{ name: 'hierarchy_item_parent_idx', properties: ['page_id', 'parent_id'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    parent_id: p.integer().strictNullable(),
    depth: p.integer(),
    name: p.text(),
    slug: p.text(),
    abbreviated_name: p.text().strictNullable(),
    description: p.text().strictNullable(),
    external_id: p.text().strictNullable(),
    create_hash: p.text().strictNullable(),
    display_order: p.integer(),
    status: p.text(),
    /** A status set by hand overrides the computed status until the override is removed or `override_until` has passed. */
    override_status: p.text().strictNullable(),
    override_reason: p.text().strictNullable(),
    override_until: moment().strictNullable(),
    /** The start of the override: backfilled status events end at this moment. */
    override_since: moment().strictNullable(),
    archived_at: moment().strictNullable(),
    metadata: json<Record<string, unknown>>().strictNullable(),
    start_date: moment(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type HierarchyItem = InferEntity<typeof HierarchyItem>
