import type { EntityManager } from '@mikro-orm/postgresql'
import { idList } from './rows.ts'
import { run, sql } from './sql.ts'

/** How many readers each feed had since a moment. */
export async function readersSince(tx: EntityManager, feedIds: number[], since: Date): Promise<Map<number, number>> {
  const rows = await run<{ feed_id: number; count: number }>(
    tx,
    sql`select feed_id, count(*)::int as count from feed_reader
      where feed_id = any(${idList(feedIds)}::int[]) and seen_at >= ${since} group by feed_id`,
  )
  return new Map(rows.map(({ feed_id, count }) => [feed_id, count]))
}
