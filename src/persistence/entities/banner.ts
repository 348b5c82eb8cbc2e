import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, moment, pageId, pagePolicies } from './columns.ts'

/** A banner shows operators the stage warning or critical of a beat or group. */
export const Banner = defineEntity({
  name: 'Banner',
  tableName: 'banner',
  policies: pagePolicies(),
  uniques: [{ name: 'banner_natural_key', properties: ['page_id', 'natural_key'] }],
  indexes: [
    { name: 'banner_owner_idx', properties: ['page_id', 'beat_id', 'id'] },
    { name: 'banner_group_idx', properties: ['page_id', 'beat_group_id', 'id'] },
    {
      name: 'banner_open_idx',
      expression: 'create index "banner_open_idx" on "banner" ("page_id", "id") where (dismissed_at is null)',
    },
  ],
  properties: {
    id: bigId(),
    page_id: pageId(),
    /** For the banner of a group: the member that gives the group its stage. */
    beat_id: p.integer(),
    beat_group_id: p.integer().strictNullable(),
    natural_key: p.text(),
    stage: p.text(),
    message: p.text(),
    created_at: moment(),
    dismissed_at: moment().strictNullable(),
    dismissed_by: p.text().strictNullable(),
  },
})
export type Banner = InferEntity<typeof Banner>
