import type { Orm } from '../orm.ts'
import { run } from '../prepared.ts'

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
const store = `with target as (select id, page_id from feed
    where page_id = $1 and (id = $2 or (built_in and format = $3)))
  insert into feed_reader (feed_id, reader, page_id, seen_at)
  select t.id, n.reader, t.page_id, $5::timestamptz
    from target t cross join unnest($4::text[]) with ordinality n (reader, number)
    where n.number <= $6 - (select count(*) from feed_reader r where r.feed_id = t.id)
      or exists (select from feed_reader r where r.feed_id = t.id and r.reader = n.reader)
  on conflict (feed_id, reader) do update set seen_at = excluded.seen_at`

export async function storeReaders(system: Orm, { pageId, feed }: NamedFeed, seen: Seen): Promise<void> {
  const named = typeof feed === 'number' ? [feed, null] : [null, feed]
  // Hashes have no characters with a meaning in an array of the database.
  await run(system.em, store, [pageId, ...named, `{${seen.hashes.join(',')}}`, seen.seenAt, seen.most])
}
