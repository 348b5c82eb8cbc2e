import { z } from 'zod'
import { version } from '../kernel/schema.ts'
import { locale } from '../settings/fields.ts'

export const MAX_VARIANTS = 50

const states = ['draft', 'published'] as const
export type State = (typeof states)[number]

/** The fields of a record that may be said in another language, each as the record itself bounds it. */
type Words = Record<string, z.ZodType<string>>
type Partly<W extends Words> = { [K in keyof W]: z.ZodOptional<W[K]> }

export interface Mutation {
  locale: string
  values: Record<string, string | undefined> | null
  state?: State
  version?: number
}

const LocalizedVariantResource = z
  .strictObject({
    locale: z.string(),
    values: z.record(z.string(), z.string()),
    state: z.enum(states),
    version: z.int(),
  })
  .meta({ id: 'LocalizedVariant' })

/** What full admin records carry. */
export const translationsOut = () => z.array(LocalizedVariantResource).optional().describe('In full admin records')

const state = () =>
  z.enum(states).optional().describe('Readers see what is `published`; `draft` at first, then what it was')
const own = () => version().describe('Of this variant: applied only if it is current').optional()
const told = 'What the record says in other languages, a variant for each; those that are not named stay as they are'

/** `translations` of a request that makes a record. */
export const newTranslations = <W extends Words>(words: W) =>
  listOf(said(words), `${told}. A record that is new has no versions yet to hold one against.`)

/** `translations` of a request that changes one. */
export const translations = <W extends Words>(words: W) =>
  listOf(said(words).nullable(), `${told}. A variant is replaced as a whole; with \`values: null\` it is deleted.`)

const said = <W extends Words>(words: W) =>
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

/** The language of a public read. The handler has settled it with `Accept-Language` when an operation sees it. */
export const readIn = {
  locale: locale().optional().describe('The language to read in; it comes before `Accept-Language`'),
}

/** For the descriptions of those operations. */
export const languageInWords =
  'Once the page gives its readers translations, the answer is in the first language that it offers among `locale`, then those of `Accept-Language`, each shortened until it is offered (RFC 4647: de-AT, then de), else in `document_locale`. A page offers `document_locale` and each supported language that anything is published in. `Content-Language` names the language that was chosen for the answer; what a record does not say in it is in the language that the record was written in.'
