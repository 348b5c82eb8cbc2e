import type { EntityManager } from '@mikro-orm/postgresql'
import { joined, run, sql } from './sql.ts'

/** Records whose `version` or time rises with every change that readers can see. */
const stamps = (pageId: number) => [
  sql`select 'page' as part, string_agg(concat_ws(',', id, version), ';') as stamp from page where id = ${pageId}`,
  sql`select 'settings', string_agg(concat_ws(',', page_id, version), ';') from page_settings`,
  sql`select 'items', string_agg(concat_ws(',', id, version, status, display_order), ';' order by id)
     from hierarchy_item where archived_at is null`,
  sql`select 'status types', string_agg(concat_ws(',', id, version), ';' order by id) from status_type`,
  sql`select 'stages', string_agg(concat_ws(',', id, version), ';' order by id) from lifecycle_stage`,
  sql`select 'incidents', concat_ws(',', count(*), sum(id), sum(version), max(updated_at)) from incident`,
  sql`select 'reports', concat_ws(',', count(*), sum(id), sum(version), max(updated_at)) from incident_report`,
  sql`select 'maintenances', concat_ws(',', count(*), sum(id), sum(version), max(updated_at)) from maintenance`,
  sql`select 'series', concat_ws(',', count(*), sum(id), sum(version), max(updated_at)) from maintenance_series`,
  sql`select 'status events', concat_ws(',', count(*), sum(id), max(id)) from status_event`,
  sql`select 'feeds', string_agg(concat_ws(',', id, version), ';' order by id) from feed`,
  sql`select 'views', concat_ws(',', count(*), sum(id), sum(version)) from custom_view`,
  sql`select 'translations', concat_ws(',', count(*), sum(id), sum(version), max(updated_at)) from localized_variant
     where state = 'published'`,
]

/** A text that is the same for all answers computed from the same state of a page, in every process and after a restart. */
export async function pageRevision(tx: EntityManager, pageId: number): Promise<string> {
  const [row] = await run<{ revision: string }>(
    tx,
    sql`select left(md5(string_agg(concat_ws(':', part, stamp), '|' order by part)), 16) as revision
      from (${joined(stamps(pageId), sql` union all `)}) stamps`,
  )
  return row!.revision
}
