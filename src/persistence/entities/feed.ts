import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, json, moment, pageId, pagePolicies } from './columns.ts'

/** A feed or a calendar of a page that programs subscribe to. */
export const Feed = defineEntity({
  name: 'Feed',
  tableName: 'feed',
  policies: pagePolicies(),
  uniques: [{ name: 'feed_wall_key', properties: ['page_id', 'id'] }],
  indexes: [
    {
      name: 'feed_built_in_key',
      expression: 'create unique index "feed_built_in_key" on "feed" ("page_id", "format") where (built_in)',
    },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    name: p.text(),
    format: p.text().$type<'rss' | 'atom' | 'ics'>(),
    scope_kind: p.text().$type<'page' | 'items' | 'view'>(),
    item_ids: json<number[]>(),
    include_descendants: p.boolean(),
    view_id: p.integer().strictNullable(),
    /** Null: the language of the page. */
    locale: p.text().strictNullable(),
    lifecycle_stage_ids: json<number[]>(),
    kinds: json<('incidents' | 'maintenances')[]>(),
    managers: json<{ name: string; email: string }[]>(),
    enabled: p.boolean(),
    /** Made with the page, and not deletable: the feed of the whole page in its format. */
    built_in: p.boolean(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type Feed = InferEntity<typeof Feed>
