import type { Orm } from '../orm.ts'
import { run, sql } from '../sql.ts'

export interface NamedFeed {
  pageId: number
  /** The id of a feed, or the format of a built-in feed. */
  feed: number | 'rss' | 'atom' | 'ics'
}

interface Seen {
  hashes: string[]
  seenAt: Date
  /** How many readers of a feed are stored. */
  most: number
}

/** A known reader is stored again in any case, a new one while there is room. */
export async function storeReaders(system: Orm, { pageId, feed }: NamedFeed, seen: Seen): Promise<void> {
  const asked = typeof feed === 'number' ? sql`id = ${feed}` : sql`built_in and format = ${feed}`
  await run(
    system.em,
    sql`with target as (select id, page_id from feed where page_id = ${pageId} and ${asked})
      insert into feed_reader (feed_id, reader, page_id, seen_at)
      select t.id, n.reader, t.page_id, ${seen.seenAt}::timestamptz
        from target t cross join unnest(${seen.hashes}::text[]) with ordinality n (reader, number)
        where n.number <= ${seen.most} - (select count(*) from feed_reader r where r.feed_id = t.id)
          or exists (select from feed_reader r where r.feed_id = t.id and r.reader = n.reader)
      on conflict (feed_id, reader) do update set seen_at = excluded.seen_at`,
  )
}
