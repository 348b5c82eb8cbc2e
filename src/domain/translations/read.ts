import type { EntityManager } from '@mikro-orm/postgresql'
import { type VariantRow, variantRows } from '../../persistence/translations.ts'
import type { Reading } from './languages.ts'
import { fallbacksOf, wordsIn } from './rules.ts'
import type { State } from './schema.ts'
import type { Kind } from './write.ts'

type Subjects = Partial<Record<Kind, { id: number }[]>>

/** All translations of records for admins, including drafts, in one query. */
export async function translationsOf(tx: EntityManager, subjects: Subjects) {
  const find = finder(await load(tx, subjects, null))
  return (kind: Kind, id: number) =>
    find(kind, id).map(({ locale, values, state, version }) => ({ locale, values, state: state as State, version }))
}

/** The translated fields of a record. */
export type Words = (kind: Kind, id: number) => Record<string, string>

/** The translated fields of records in the language of a reader, which replace the original fields. */
export async function wordsFor(
  tx: EntityManager,
  { language, translated }: Reading,
  subjects: Subjects,
): Promise<Words> {
  const find = finder(translated ? await load(tx, subjects, fallbacksOf(language)) : [])
  return (kind, id) => {
    const variants = find(kind, id)
    return variants === NONE ? {} : wordsIn(language, variants)
  }
}

function load(tx: EntityManager, subjects: Subjects, published: string[] | null): Promise<VariantRow[]> {
  const ids = Object.entries(subjects).map(([kind, records]) => [kind, records.map(({ id }) => id)])
  return variantRows(tx, Object.fromEntries(ids), published)
}

/** Shared by all records without translations, of which an answer can hold a thousand. */
const NONE: VariantRow[] = []

function finder(rows: VariantRow[]) {
  const sorted = rows.sort((a, b) => (a.locale < b.locale ? -1 : 1))
  const byKind = new Map<string, Map<number, VariantRow[]>>()
  for (const [kind, variants] of Map.groupBy(sorted, (row) => row.subject_kind)) {
    byKind.set(
      kind,
      Map.groupBy(variants, (row) => row.subject_id),
    )
  }
  return (kind: Kind, id: number) => byKind.get(kind)?.get(id) ?? NONE
}
