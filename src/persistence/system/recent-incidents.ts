import type { Orm } from '../orm.ts'
import { runUnprepared, sql } from '../sql.ts'

const MOST_OPEN = 100
const MOST_RECENT = 100

/** The ids of the open incidents of a page, and of its last incidents. */
export async function recentIncidentIds(system: Orm, pageId: number): Promise<number[]> {
  const rows = await runUnprepared<{ id: number }>(
    system.em,
    sql`select id from (select id from incident where page_id = ${pageId} and resolved_at is null
        order by id desc limit ${MOST_OPEN}) as open
      union select id from (select id from incident where page_id = ${pageId}
        order by started_at desc, id desc limit ${MOST_RECENT}) as recent
      order by id desc`,
  )
  return rows.map(({ id }) => id)
}
