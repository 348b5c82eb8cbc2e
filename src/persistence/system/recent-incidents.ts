import type { Orm } from '../orm.ts'

const MOST_OPEN = 100
const MOST_RECENT = 100

/** The ids of the open incidents of a page, and of its last incidents. */
export async function recentIncidentIds(system: Orm, pageId: number): Promise<number[]> {
  const rows = await system.em.fork().execute<{ id: number }[]>(
    `select id from (select id from incident where page_id = ? and resolved_at is null order by id desc limit ?) as open
      union select id from (select id from incident where page_id = ? order by started_at desc, id desc limit ?) as recent
      order by id desc`,
    [pageId, MOST_OPEN, pageId, MOST_RECENT],
  )
  return rows.map(({ id }) => id)
}
