import { z } from 'zod'
import { EMAIL_ADDRESS } from './email-rules.ts'
import { isOneLine } from './text-rules.ts'

/** The parts of schemas, with the bounds of the interface. */

export const MAX_ID = 2_147_483_647

export const id = () => z.int().min(1).max(MAX_ID)
/** An id as text, in a path or a query. */
export const idInPath = () => z.coerce.number().int().min(1).max(MAX_ID)
export const text = (max: number) => z.string().max(max)
export const email = () =>
  z.email({ pattern: EMAIL_ADDRESS, error: 'must be an e-mail address such as ada@example.com' }).max(254)
export const webUrl = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' })
    .max(2000, 'must have at most 2000 characters')
export const line = (max: number) => z.string().trim().min(1).max(max)
/** A text such as a name, which titles, lists and headers of mails show. */
export const inOneLine = (schema: z.ZodString) =>
  schema.refine(isOneLine, 'must be one line without control characters')

/** The id of a record in another system. Printable, so that the id fits into a URL and a log. */
export const externalId = () =>
  z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
    .refine(
      (value) => value !== '.' && value !== '..',
      'must be neither "." nor "..", which have a meaning in a URL path',
    )

const FIRST_YEAR = 1970
const LAST_YEAR = 2200

export const moment = () =>
  z.iso
    .datetime({ offset: true, message: 'must be an ISO 8601 date-time with an offset' })
    .refine((value) => {
      const year = new Date(value).getUTCFullYear()
      return year >= FIRST_YEAR && year < LAST_YEAR
    }, `must lie between ${FIRST_YEAR} and ${LAST_YEAR}`)
    .meta({ format: 'date-time' })

export const momentOut = () => z.iso.datetime({ offset: true }).meta({ format: 'date-time' })

export const version = () =>
  z.int().min(1).max(MAX_ID).describe('The change is applied only to this version of the record')

/** For deletes, which may have the version in the query. */
export const versionToDelete = () => ({ version: z.coerce.number().int().min(1).max(MAX_ID).optional() })

const compared = z.registry<{ compared: true }>()

type SentBack = Record<string, z.ZodOptional<z.ZodUnknown>>

/**
 * Fields of a change that the service sets: the stored value may be sent back, another value is refused. Operations compare
 * by `trackRevision` or `requireStored`; a field that no operation has compared is refused.
 */
export const readOnly = (...names: string[]): SentBack =>
  Object.fromEntries(names.map((name) => [name, sentBack().register(compared, { compared: true })]))

/** Fields of a change that are ignored, whatever their value: times and computed values. */
export const computed = (...names: string[]): SentBack => Object.fromEntries(names.map((name) => [name, sentBack()]))

const sentBack = () => z.unknown().optional().meta({ readOnly: true })

export const isCompared = (field: z.ZodType) => compared.has(field)

const setByService = z.registry<{ names: string[] }>()

/** Registers the fields that a creating request may not name: the fields that are `readOnly` or `computed` in a change. */
export function withoutReadOnly<T extends z.ZodObject>(schema: T, ...fields: (string | SentBack)[]): T {
  const names = fields.flatMap((field) => (typeof field === 'string' ? [field] : Object.keys(field)))
  setByService.add(schema, { names })
  return schema
}

export const isSetByService = (schema: z.ZodType, name: string) =>
  setByService.get(schema)?.names.includes(name) ?? false

const laterFields = z.registry<{ names: string[] }>()

/** Registers fields of the interface that have no effect yet and are refused. */
export function withLater<T extends z.ZodObject>(schema: T, names: string[]): T {
  laterFields.add(schema, { names })
  return schema
}

export const isLater = (schema: z.ZodType, name: string) => laterFields.get(schema)?.names.includes(name) ?? false

/** Marks a value that is shown once: audit rows and idempotent replays leave it out. */
export const shownOnce = <T extends z.ZodType>(schema: T) => schema.meta({ shownOnce: true })

/** Marks a value that neither audit rows nor idempotent replays store. */
export const unkept = <T extends z.ZodType>(schema: T) => schema.meta({ unkept: true })

const notifyInWords = '`false` sends no notification'
export const notify = () => z.boolean().default(true).describe(notifyInWords)
/** A flag that may be in the query. */
export const flag = () => z.union([z.boolean(), z.stringbool()], 'must be true or false')
/** For deletes, which may have the flag in the query. */
export const notifyInQuery = () => flag().default(true).describe(notifyInWords)

export const view = z.enum(['compact', 'full']).default('compact').describe('`full` for the full records')

export const message = z.strictObject({ message: z.string() }).meta({ id: 'Message' })

/** The filter of lists of processes and events by their subject. */
export const subjectInQuery = (kinds: readonly string[]) =>
  z
    .string()
    .regex(
      new RegExp(`^((${kinds.join('|')}):)?\\d{1,10}$`),
      `must look like incident:17, with one of the kinds ${kinds.join(', ')}, or like 17 for a subject of any kind`,
    )
    .optional()
    .describe('Only records about this subject, such as `incident:17`')

export function subjectFrom(written: string | undefined): { kind?: string; id?: number } {
  const [, kind, id] = /^(?:(.+):)?(\d+)$/.exec(written ?? '') ?? []
  return id === undefined ? {} : { kind, id: Math.min(Number(id), MAX_ID) }
}
