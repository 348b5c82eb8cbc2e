import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { moment, pageId, pagePolicies } from './columns.ts'

/** A reader of a feed by a hash that only the service can compute, and when the reader read the feed last. */
export const FeedReader = defineEntity({
  name: 'FeedReader',
  tableName: 'feed_reader',
  policies: pagePolicies(),
  indexes: [{ name: 'feed_reader_seen_idx', properties: ['seen_at'] }],
  properties: {
    feed_id: p.integer().primary().autoincrement(false),
    reader: p.text().primary(),
    page_id: pageId(),
    seen_at: moment(),
  },
})
export type FeedReader = InferEntity<typeof FeedReader>
