import { z } from 'zod'
import { version } from '../kernel/schema.ts'
import { locale } from '../settings/fields.ts'

export const MAX_VARIANTS = 50

const states = ['draft', 'published'] as const
export type State = (typeof states)[number]

/** The translatable fields of a record, with the bounds of the record. */
type Bounds = Record<string, z.ZodType>
type Partly<W extends Bounds> = { [K in keyof W]: z.ZodOptional<W[K]> }

export interface Mutation {
  locale: string
  values: Record<string, string | undefined> | null
  state?: State
  version?: number
}

const variantOf = <V extends z.ZodType>(values: V, id: string) =>
  z.strictObject({ locale: z.string(), values, state: z.enum(states), version: z.int() }).meta({ id })

const LocalizedVariantResource = variantOf(z.record(z.string(), z.string()), 'LocalizedVariant')

const inFull = 'In full admin records'

/** The translations in full admin records. */
export const translationsOut = () => z.array(LocalizedVariantResource).optional().describe(inFull)

/** The same with values that are not all texts. */
export const variantsOut = <V extends z.ZodType>(values: V, id: string) =>
  z.array(variantOf(values, id)).optional().describe(inFull)

const state = () =>
  z
    .enum(states)
    .optional()
    .describe('Readers see published variants. Absent: `draft` for a new variant, else unchanged')
const own = () => version().describe('The current version of this variant, else 409').optional()
const variants =
  'The translations of the record, one variant per language; variants that the request does not name stay unchanged'

/** `translations` of a create. */
export const newTranslations = <W extends Bounds>(words: W) =>
  listOf(partial(words), `${variants}. A \`version\` has no effect in a create.`)

/** `translations` of a change. */
export const translations = <W extends Bounds>(words: W) =>
  listOf(
    partial(words).nullable(),
    `${variants}. A variant is replaced as a whole; \`values: null\` deletes the variant.`,
  )

const partial = <W extends Bounds>(words: W) =>
  z.strictObject(
    Object.fromEntries(Object.entries(words).map(([name, bounds]) => [name, bounds.optional()])) as Partly<W>,
  )

function listOf<V extends z.ZodType>(values: V, description: string) {
  const mutation = z.strictObject({ locale: locale(), values, state: state(), version: own() })
  return z
    .array(mutation)
    .max(MAX_VARIANTS)
    .refine((list) => new Set(list.map((one) => one.locale)).size === list.length, 'must not name a language twice')
    .optional()
    .describe(description)
}

/** The language of a public read. The handler has already applied `Accept-Language`. */
export const readIn = {
  locale: locale().optional().describe('The language of the answer; takes precedence over `Accept-Language`'),
}

/** For the descriptions of public reads. */
export const languageInWords =
  'If the page gives translations to readers, the answer is in the first offered language among `locale` and the languages of `Accept-Language`, each shortened until it is offered (RFC 4647: de-AT, then de), else in `document_locale`. A page offers `document_locale` and each language of `supported_locales`; without `supported_locales`, each language with a published translation. `Content-Language` names the language of the answer; fields without a translation are in the original language of the record.'
