import { type EntityManager, raw } from '@mikro-orm/postgresql'
import type { LocalizedVariant } from './entities/localized-variant.ts'
import { run } from './prepared.ts'
import { idList } from './rows.ts'
import { containsSql } from './search.ts'

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
    (_kind, index) => `select subject_kind, subject_id, locale, state, "values", version from localized_variant
      where subject_kind = $${2 * index + 2} and subject_id = any($${2 * index + 3}::int[])
        and ($1::text[] is null or (state = 'published' and locale = any($1)))`,
  )
  return run<VariantRow>(tx, selects.join(' union all '), [
    published,
    ...kinds.flatMap(([kind, list]) => [kind, idList(list)]),
  ])
}

/** The locales with published translations, with one index lookup for each locale. */
export async function publishedLocales(tx: EntityManager): Promise<string[]> {
  const rows = await tx.execute<{ locale: string }[]>(
    `with recursive next as (
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
    `select md5(string_agg(id || ' ' || version, ',' order by id)) as stamp from localized_variant
      where state = 'published' and subject_kind = any($1::text[])`,
    [`{${kinds.join(',')}}`],
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
  await tx.execute(
    `delete from localized_variant where (subject_kind = 'incident' and subject_id = ?)
      or (subject_kind = 'incident_report' and subject_id in (select id from incident_report where incident_id = ?))
      or (subject_kind = 'incident_update' and subject_id in (select id from incident_update where incident_id = ?))`,
    [incidentId, incidentId, incidentId],
  )
}

/** The same for a maintenance. */
export async function forgetMaintenanceVariants(tx: EntityManager, maintenanceId: number): Promise<void> {
  await tx.execute(
    `delete from localized_variant where (subject_kind = 'maintenance' and subject_id = ?)
      or (subject_kind = 'maintenance_update'
        and subject_id in (select id from maintenance_update where maintenance_id = ?))`,
    [maintenanceId, maintenanceId],
  )
}
