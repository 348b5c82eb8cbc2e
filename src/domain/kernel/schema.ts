import { z } from 'zod'

/** The pieces that every schema is made of, with the bounds that the contract asks for. */

export const MAX_ID = 2_147_483_647

export const id = () => z.int().min(1).max(MAX_ID)
/** An id that comes as text, in a path or a query. */
export const idInPath = () => z.coerce.number().int().min(1).max(MAX_ID)
export const text = (max: number) => z.string().max(max)
export const line = (max: number) => z.string().trim().min(1).max(max)

/** What automation calls a thing. Printable, so that it survives a URL and a log. */
export const externalId = () =>
  z
    .string()
    .min(1)
    .max(200)
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
    .refine((said) => said !== '.' && said !== '..', 'must be neither "." nor "..", which cannot stand in a URL path')

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

export const version = () => z.int().min(1).max(MAX_ID).describe('Applied only if this is the current version')

/** For deletes, which may say it in the query. */
export const versionToDelete = () => ({ version: z.coerce.number().int().min(1).max(MAX_ID).optional() })

const compared = z.registry<{ compared: true }>()

type SentBack = Record<string, z.ZodOptional<z.ZodUnknown>>

/**
 * Fields of a change that the service sets: the stored value may be sent back, another one is refused. Operations
 * compare in `revising`, or by `requireStored`; a field that nothing was compared with is refused.
 */
export const readOnly = (...names: string[]): SentBack =>
  Object.fromEntries(names.map((name) => [name, sentBack().register(compared, { compared: true })]))

/** Fields of a change that may be sent back with any value and are ignored: times, and what the service computes. */
export const computed = (...names: string[]): SentBack => Object.fromEntries(names.map((name) => [name, sentBack()]))

const sentBack = () => z.unknown().optional().meta({ readOnly: true })

export const isCompared = (field: z.ZodType) => compared.has(field)

const setByService = z.registry<{ names: string[] }>()

/** Says which fields a request that makes a record may not name: those that `readOnly` and `computed` name in a change. */
export function withoutReadOnly<T extends z.ZodObject>(schema: T, ...fields: (string | SentBack)[]): T {
  const names = fields.flatMap((field) => (typeof field === 'string' ? [field] : Object.keys(field)))
  setByService.add(schema, { names })
  return schema
}

export const isSetByService = (schema: z.ZodType, name: string) =>
  setByService.get(schema)?.names.includes(name) ?? false

const laterFields = z.registry<{ names: string[] }>()

/** Says which fields of a request the interface names although nothing works by them yet. */
export function withLater<T extends z.ZodObject>(schema: T, names: string[]): T {
  laterFields.add(schema, { names })
  return schema
}

export const isLater = (schema: z.ZodType, name: string) => laterFields.get(schema)?.names.includes(name) ?? false

/** Marks a value that is shown once: audit rows and idempotent replays leave it out. */
export const shownOnce = <T extends z.ZodType>(schema: T) => schema.meta({ shownOnce: true })

/** Marks a value that is shown to those who may see it, and kept in neither audit rows nor idempotent replays. */
export const unkept = <T extends z.ZodType>(schema: T) => schema.meta({ unkept: true })

const notifyInWords = '`false` sends no notification'
export const notify = () => z.boolean().default(true).describe(notifyInWords)
/** For deletes, which may say it in the query. */
export const notifyInQuery = () => z.union([z.boolean(), z.stringbool()]).default(true).describe(notifyInWords)

export const view = z.enum(['compact', 'full']).default('compact').describe('`full` for the full records')

export const message = z.strictObject({ message: z.string() }).meta({ id: 'Message' })

/** What a list of processes or events may be narrowed to. */
export const subjectInQuery = (kinds: readonly string[]) =>
  z
    .string()
    .regex(
      new RegExp(`^((${kinds.join('|')}):)?\\d{1,10}$`),
      `must look like incident:17, with one of the kinds ${kinds.join(', ')}, or like 17 for a subject of any kind`,
    )
    .optional()
    .describe('Only what is about this subject, such as `incident:17`')

export function subjectFrom(said: string | undefined): { kind?: string; id?: number } {
  const [, kind, id] = /^(?:(.+):)?(\d+)$/.exec(said ?? '') ?? []
  return id === undefined ? {} : { kind, id: Math.min(Number(id), MAX_ID) }
}
