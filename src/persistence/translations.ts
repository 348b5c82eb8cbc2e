import type { EntityManager } from '@mikro-orm/postgresql'
import type { LocalizedVariant } from './entities/localized-variant.ts'
import { run } from './prepared.ts'

export type VariantRow = Pick<
  LocalizedVariant,
  'subject_kind' | 'subject_id' | 'locale' | 'state' | 'values' | 'version'
>

export interface SubjectKey {
  kind: string
  id: number
}

/** The variants of all these records, of whatever kind, in one query; with `published`, those alone, in these locales. */
export function variantRows(
  tx: EntityManager,
  subjects: SubjectKey[],
  published: string[] | null = null,
): Promise<VariantRow[]> {
  return run<VariantRow>(
    tx,
    `select v.subject_kind, v.subject_id, v.locale, v.state, v."values", v.version
      from unnest($1::text[], $2::int[]) as s(kind, id)
      join localized_variant v on v.subject_kind = s.kind and v.subject_id = s.id
      where $3::text[] is null or (v.state = 'published' and v.locale = any($3))
      order by v.locale`,
    [subjects.map(({ kind }) => kind), subjects.map(({ id }) => id), published],
  )
}

/** The locales that anything is published in, in as many steps through the index as there are of them. */
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

/** An incident and its timeline are deleted: so is what they said in other languages. */
export async function forgetIncidentVariants(tx: EntityManager, incidentId: number): Promise<void> {
  await tx.execute(
    `delete from localized_variant where (subject_kind = 'incident' and subject_id = ?)
      or (subject_kind = 'incident_update' and subject_id in (select id from incident_update where incident_id = ?))`,
    [incidentId, incidentId],
  )
}
