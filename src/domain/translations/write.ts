import { LocalizedVariant } from '../../persistence/entities/localized-variant.ts'
import { canonical } from '../kernel/canonical.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, Problem } from '../kernel/errors.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { settingsOf } from '../settings/stored.ts'
import { MAX_VARIANTS, type Mutation } from './schema.ts'

/** The kinds of records with translations. */
export type Kind =
  | 'beat'
  | 'beat_group'
  | 'incident'
  | 'incident_report'
  | 'incident_update'
  | 'item'
  | 'lifecycle_stage'
  | 'maintenance'
  | 'maintenance_series'
  | 'maintenance_update'
  | 'preset'
  | 'settings'
  | 'status_type'

type Subject = [kind: Kind, id: number]

/** The field of a request that holds the translations. */
const fieldOf = ([kind]: Subject) =>
  kind === 'beat' || kind === 'beat_group' ? 'message_policy_translations' : 'translations'

/** Writes the translations of a new record. */
export async function translateNew(ctx: Context, subject: Subject, requested: Mutation[] | undefined): Promise<void> {
  if (requested && requested.length > 0) await apply(ctx, subject, requested, [])
}

/** Creates, replaces or deletes the variants of a request. The caller holds the lock of the record. */
export async function translate(ctx: Context, subject: Subject, requested: Mutation[] | undefined): Promise<void> {
  if (!requested || requested.length === 0) return
  const [subject_kind, subject_id] = subject
  const known = await ctx.tx.find(LocalizedVariant, { subject_kind, subject_id })
  requested.forEach((mutation, index) => {
    const current = known.find(({ locale }) => locale === mutation.locale)?.version ?? 0
    if (mutation.version !== undefined && mutation.version !== current)
      throw stale(`${fieldOf(subject)}.${index}`, mutation, current)
  })
  const before = wordsOf(known)
  const after = wordsOf(await apply(ctx, subject, requested, known))
  addToAudit(ctx, fieldOf(subject), before, after)
}

/** Writes translations that the service prepared for a new record, without validation. */
export function addPreparedTranslations(
  { tx, pageId, now }: WorkContext,
  [subject_kind, subject_id]: Subject,
  variants: { locale: string; values: Record<string, string> }[],
): void {
  for (const variant of variants) {
    const row = { page_id: pageId, subject_kind, subject_id, state: 'published', version: 1, updated_at: now }
    tx.create(LocalizedVariant, { ...row, ...variant })
  }
}

/** Copies the translations of a record to a new record. */
export async function copyTranslations({ tx, pageId, now }: WorkContext, from: Subject, to: Subject): Promise<void> {
  const [subject_kind, subject_id] = from
  for (const { locale, state, values } of await tx.find(LocalizedVariant, { subject_kind, subject_id })) {
    const row = { page_id: pageId, subject_kind: to[0], subject_id: to[1], version: 1, updated_at: now }
    tx.create(LocalizedVariant, { ...row, locale, state, values })
  }
}

/** Deletes the translations of a deleted record. */
export async function forgetTranslations({ tx }: Context, [subject_kind, subject_id]: Subject): Promise<void> {
  await tx.nativeDelete(LocalizedVariant, { subject_kind, subject_id })
}

type WordsByLocale = Record<string, Pick<LocalizedVariant, 'values' | 'state'>>

const wordsOf = (variants: Iterable<LocalizedVariant>): WordsByLocale =>
  Object.fromEntries([...variants].map(({ locale, values, state }) => [locale, { values, state }]))

/** Adds the changed translations to the audit row, before and after the change. */
function addToAudit(ctx: Context, field: string, before: WordsByLocale, after: WordsByLocale): void {
  const locales = Object.keys({ ...before, ...after }).filter(
    (locale) => canonical(before[locale] ?? null) !== canonical(after[locale] ?? null),
  )
  const pick = (words: WordsByLocale) => Object.fromEntries(locales.map((locale) => [locale, words[locale] ?? null]))
  if (locales.length === 0) return
  ctx.auditExtras.before[field] = pick(before)
  ctx.auditExtras.after[field] = pick(after)
}

/** Writes the changed variants. Returns all variants of the record. */
async function apply(ctx: Context, subject: Subject, requested: Mutation[], known: LocalizedVariant[]) {
  const variants = new Map(known.map((variant) => [variant.locale, variant]))
  const changes = requested.filter((mutation) => !isUnchanged(mutation, variants.get(mutation.locale)))
  await requireSupported(ctx, fieldOf(subject), requested, changes)
  for (const { locale, values, state } of changes) {
    const variant = variants.get(locale)
    if (values === null) {
      if (variant) ctx.tx.remove(variant)
      variants.delete(locale)
    } else if (variant) {
      Object.assign(variant, { values: defined(values), state: state ?? variant.state, updated_at: ctx.now })
      variant.version += 1
    } else {
      variants.set(locale, make(ctx, subject, { locale, values: defined(values), state: state ?? 'draft' }))
    }
  }
  if (variants.size > MAX_VARIANTS) {
    throw invalid([{ path: fieldOf(subject), message: `a record has at most ${MAX_VARIANTS} variants` }])
  }
  await ctx.tx.flush()
  return variants.values()
}

/** Refuses languages outside `supported_locales`. Variants in a removed language may be deleted or sent back unchanged. */
async function requireSupported(
  { tx }: Context,
  field: string,
  requested: Mutation[],
  changes: Mutation[],
): Promise<void> {
  const { supported_locales: supported } = await settingsOf(tx)
  if (supported.length === 0) return
  const errors = requested.flatMap((mutation, index) => {
    const { locale, values } = mutation
    if (values === null || supported.includes(locale) || !changes.includes(mutation)) return []
    const message = `"${locale}" must be among supported_locales, which are ${supported.join(', ')}`
    return { path: `${field}.${index}.locale`, message }
  })
  if (errors.length > 0) throw invalid(errors)
}

type New = Pick<LocalizedVariant, 'locale' | 'values' | 'state'>

function make({ tx, page, now }: Context, [subject_kind, subject_id]: Subject, fields: New): LocalizedVariant {
  return tx.create(LocalizedVariant, {
    page_id: page.id,
    ...{ subject_kind, subject_id },
    ...fields,
    version: 1,
    updated_at: now,
  })
}

/** An unchanged variant keeps its version, so that other clients have no conflict. */
const isUnchanged = ({ values, state }: Mutation, variant: LocalizedVariant | undefined) =>
  variant !== undefined &&
  values !== null &&
  (state ?? variant.state) === variant.state &&
  canonical(defined(values)) === canonical(variant.values)

const defined = (values: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined))

function stale(path: string, { locale }: Mutation, current: number): Problem {
  const now = current === 0 ? 'the variant does not exist' : `its current version is ${current}`
  const message = `${path}.version: the variant in ${locale} has changed since you read it: ${now}.`
  return new Problem('version_conflict', message, { current_version: current })
}
