import type { EntityManager } from '@mikro-orm/postgresql'
import { run } from './prepared.ts'
import { idList } from './rows.ts'

/** How many readers each feed had since a moment. */
export async function readersSince(tx: EntityManager, feedIds: number[], since: Date): Promise<Map<number, number>> {
  const rows = await run<{ feed_id: number; count: number }>(
    tx,
    `select feed_id, count(*)::int as count from feed_reader
      where feed_id = any($1::int[]) and seen_at >= $2 group by feed_id`,
    [idList(feedIds), since],
  )
  return new Map(rows.map(({ feed_id, count }) => [feed_id, count]))
}
