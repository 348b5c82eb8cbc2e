import type { EntityManager } from '@mikro-orm/postgresql'
import { run } from './prepared.ts'

/** Records whose `version` or time rises with every change that readers can see. */
const STAMPS = [
  `select 'page' as part, string_agg(concat_ws(',', id, version), ';') as stamp from page where id = $1`,
  `select 'settings', string_agg(concat_ws(',', page_id, version), ';') from page_settings`,
  `select 'items', string_agg(concat_ws(',', id, version, status, display_order), ';' order by id)
     from hierarchy_item where archived_at is null`,
  `select 'status types', string_agg(concat_ws(',', id, version), ';' order by id) from status_type`,
  `select 'stages', string_agg(concat_ws(',', id, version), ';' order by id) from lifecycle_stage`,
  `select 'incidents', concat_ws(',', count(*), sum(id), sum(version), max(updated_at)) from incident`,
  `select 'reports', concat_ws(',', count(*), sum(id), sum(version), max(updated_at)) from incident_report`,
  `select 'maintenances', concat_ws(',', count(*), sum(id), sum(version), max(updated_at)) from maintenance`,
  `select 'series', concat_ws(',', count(*), sum(id), sum(version), max(updated_at)) from maintenance_series`,
  `select 'status events', concat_ws(',', count(*), sum(id), max(id)) from status_event`,
  `select 'feeds', string_agg(concat_ws(',', id, version), ';' order by id) from feed`,
  `select 'views', concat_ws(',', count(*), sum(id), sum(version)) from custom_view`,
  `select 'translations', concat_ws(',', count(*), sum(id), sum(version), max(updated_at)) from localized_variant
     where state = 'published'`,
]

const SQL = `select left(md5(string_agg(concat_ws(':', part, stamp), '|' order by part)), 16) as revision
  from (${STAMPS.join(' union all ')}) stamps`

/** A text that is the same for all answers computed from the same state of a page, in every process and after a restart. */
export async function pageRevision(tx: EntityManager, pageId: number): Promise<string> {
  const [row] = await run<{ revision: string }>(tx, SQL, [pageId])
  return row!.revision
}
