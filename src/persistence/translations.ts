import { type EntityManager, raw } from '@mikro-orm/postgresql'
import type { LocalizedVariant } from './entities/localized-variant.ts'
import { idList } from './rows.ts'
import { containsSql } from './search.ts'
import { joined, run, runUnprepared, sql } from './sql.ts'

export type VariantRow = Pick<
  LocalizedVariant,
  'subject_kind' | 'subject_id' | 'locale' | 'state' | 'values' | 'version'
>

/**
 * The translations of these records, by kind, in one query; with `published`, only published ones in these locales. One
 * select for each kind, because the planner does not use the index for pairs of kind and id.
 */
export function variantRows(
  tx: EntityManager,
  ids: Record<string, number[]>,
  published: string[] | null = null,
): Promise<VariantRow[]> {
  const kinds = Object.entries(ids).filter(([, list]) => list.length > 0)
  if (kinds.length === 0) return Promise.resolve([])
  const selects = kinds.map(
    ([kind, list]) => sql`select subject_kind, subject_id, locale, state, "values", version from localized_variant
      where subject_kind = ${kind} and subject_id = any(${idList(list)}::int[])
        and (${published}::text[] is null or (state = 'published' and locale = any(${published}::text[])))`,
  )
  return run<VariantRow>(tx, joined(selects, sql` union all `))
}

/** The locales with published translations, with one index lookup for each locale. */
export async function publishedLocales(tx: EntityManager): Promise<string[]> {
  const rows = await run<{ locale: string }>(
    tx,
    sql`with recursive next as (
        (select locale from localized_variant where state = 'published' order by locale limit 1)
        union all
        select (select v.locale from localized_variant v where v.state = 'published' and v.locale > next.locale
          order by v.locale limit 1) from next where next.locale is not null)
      select locale from next where locale is not null`,
  )
  return rows.map(({ locale }) => locale)
}

/** A text that changes with the published translations of these kinds. */
export async function publishedStamp(tx: EntityManager, kinds: string[]): Promise<string> {
  const [row] = await run<{ stamp: string | null }>(
    tx,
    sql`select md5(string_agg(id || ' ' || version, ',' order by id)) as stamp from localized_variant
      where state = 'published' and subject_kind = any(${kinds}::text[])`,
  )
  return row?.stamp ?? ''
}

/** The records of a kind whose published translations contain a text: a value for `$in` in a filter. */
export function recordsPublishing(kind: string, fields: string[], text: string) {
  const contains = fields.map(() => containsSql('"values" ->> ?')).join(' or ')
  return raw<number[]>(
    `(select subject_id from localized_variant where subject_kind = ? and state = 'published' and (${contains}))`,
    [kind, ...fields.flatMap((field) => [field, text])],
  )
}

/** Deletes the translations of an incident, of its postmortem and of its updates. */
export async function forgetIncidentVariants(tx: EntityManager, incidentId: number): Promise<void> {
  await runUnprepared(
    tx,
    sql`delete from localized_variant where (subject_kind = 'incident' and subject_id = ${incidentId})
      or (subject_kind = 'incident_report'
        and subject_id in (select id from incident_report where incident_id = ${incidentId}))
      or (subject_kind = 'incident_update'
        and subject_id in (select id from incident_update where incident_id = ${incidentId}))`,
  )
}

/** The same for a maintenance. */
export async function forgetMaintenanceVariants(tx: EntityManager, maintenanceId: number): Promise<void> {
  await runUnprepared(
    tx,
    sql`delete from localized_variant where (subject_kind = 'maintenance' and subject_id = ${maintenanceId})
      or (subject_kind = 'maintenance_update'
        and subject_id in (select id from maintenance_update where maintenance_id = ${maintenanceId}))`,
  )
}
