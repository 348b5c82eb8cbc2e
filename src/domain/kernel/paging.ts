import { z } from 'zod'
import { invalid } from './errors.ts'
import { id, MAX_ID, moment } from './schema.ts'

export const pagingFields = {
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('How many records to return at most'),
  cursor: z.string().max(500).optional().describe('The `next_cursor` of the page before'),
}

const refused = () => invalid([{ path: 'cursor', message: 'is not a cursor of this list' }])
const markOf = (list: string) => `${Buffer.from(list).toString('base64url')}.`

/** Adds the name of the list to the cursor of an answer; `execute` calls this for every operation. */
export function withListName<T>(list: string, output: T): T {
  const { next_cursor } = (output ?? {}) as { next_cursor?: unknown }
  return typeof next_cursor === 'string' ? { ...output, next_cursor: markOf(list) + next_cursor } : output
}

/** Removes the name of the list from the cursor of a request. Refuses a cursor of another list. */
export function withoutListName<T>(list: string, input: T): T {
  const { cursor } = (input ?? {}) as { cursor?: unknown }
  if (typeof cursor !== 'string') return input
  if (!cursor.startsWith(markOf(list))) throw refused()
  return { ...input, cursor: cursor.slice(markOf(list).length) }
}

/** The keyset of the last row of a page as a cursor. Opaque to clients, so that the order may change. */
export function encodeCursor(keys: (string | number)[]): string {
  return Buffer.from(JSON.stringify(keys)).toString('base64url')
}

/** The schemas of keys in cursors. A cursor that a client writes by hand is validated like any other value. */
export const cursorKeys = {
  id: id(),
  /** Of tables whose ids are bigints. */
  bigId: z.int().min(1),
  order: z.int().min(0).max(MAX_ID),
  moment: moment(),
  text: z.string().regex(/^[\x20-\x7e]*$/),
}

export function decodeCursor<T extends z.ZodTuple>(cursor: string | undefined, keys: T): z.output<T> | undefined {
  if (cursor === undefined) return undefined
  try {
    return keys.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch {
    throw refused()
  }
}

/** Cuts off the extra row that the query reads, and returns the cursor of the next page. */
export function pageOf<T>(rows: T[], limit: number, keyset: (row: T) => (string | number)[]) {
  const more = rows.length > limit
  const shown = more ? rows.slice(0, limit) : rows
  const last = shown.at(-1)
  return { rows: shown, next_cursor: more && last !== undefined ? encodeCursor(keyset(last)) : undefined }
}

/** What a request asks of a list. */
export interface AskedPart {
  limit: number
  cursor?: string | undefined
}

/** A part of a list that is short by nature and read as a whole. Its cursor is the key of a record. */
export function partOf<T>(records: T[], { limit, cursor }: AskedPart, keyOf: (record: T) => string | number) {
  const [after] = decodeCursor(cursor, z.tuple([cursorKeys.text])) ?? []
  const before = records.findIndex((record) => String(keyOf(record)) === after)
  if (after !== undefined && before < 0) throw refused()
  const part = records.slice(before + 1, before + 2 + limit)
  const { rows, next_cursor } = pageOf(part, limit, (record) => [String(keyOf(record))])
  return { rows, total: records.length, next_cursor }
}

/** The schema of every list: `{<plural>: […], total, next_cursor}`. */
export function listOf<const Name extends string, T extends z.ZodType>(name: Name, item: T) {
  return z.strictObject({
    [name]: z.array(item),
    total: z.int(),
    next_cursor: z.string().optional(),
  } as { [K in Name]: z.ZodArray<T> } & { total: z.ZodInt; next_cursor: z.ZodOptional<z.ZodString> })
}
