import type { EntityManager } from '@mikro-orm/postgresql'
import { dateOf } from './rows.ts'
import { run, sql } from './sql.ts'

/** The time of the last change that readers of the page see. */
export async function lastChangeOf(tx: EntityManager, pageId: number): Promise<Date> {
  const [row] = await run<{ at: unknown }>(
    tx,
    sql`select greatest(
      (select max(updated_at) from page where id = ${pageId}),
      (select max(updated_at) from page_settings),
      (select max(updated_at) from hierarchy_item),
      (select max(updated_at) from incident),
      (select max(updated_at) from incident_report),
      (select max(updated_at) from maintenance)
    ) as at`,
  )
  return dateOf(row!.at)!
}
