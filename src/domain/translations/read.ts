import type { EntityManager } from '@mikro-orm/postgresql'
import { type VariantRow, variantRows } from '../../persistence/translations.ts'
import type { Reading } from './languages.ts'
import { fallbacksOf, wordsIn } from './rules.ts'
import type { State } from './schema.ts'
import type { Kind } from './write.ts'

type Subjects = Partial<Record<Kind, { id: number }[]>>

/** What records say in other languages, drafts and all, for those who write them: one query for all of them. */
export async function translationsOf(tx: EntityManager, subjects: Subjects) {
  const find = finder(await load(tx, subjects, null))
  return (kind: Kind, id: number) =>
    find(kind, id).map(({ locale, values, state, version }) => ({ locale, values, state: state as State, version }))
}

/** The fields that records say in the language of a reader, to be laid over what they say in their own. */
export async function wordsFor(tx: EntityManager, { language, translated }: Reading, subjects: Subjects) {
  const find = finder(translated ? await load(tx, subjects, fallbacksOf(language)) : [])
  return (kind: Kind, id: number) => {
    const variants = find(kind, id)
    return variants === NONE ? {} : wordsIn(language, variants)
  }
}

function load(tx: EntityManager, subjects: Subjects, published: string[] | null): Promise<VariantRow[]> {
  const ids = Object.entries(subjects).map(([kind, records]) => [kind, records.map(({ id }) => id)])
  return variantRows(tx, Object.fromEntries(ids), published)
}

/** Most records say nothing in other languages, and there may be a thousand of them in one answer. */
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
