import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { HierarchyItem } from '../../../persistence/entities/hierarchy-item.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { email, flag, unkept } from '../../kernel/schema.ts'
import { isPublicKey } from '../../notifications/keys.ts'
import { locale } from '../../settings/fields.ts'
import { type ImportedLine, type Known, readLine } from './import-rules.ts'
import { MOST_LINES, readCsv } from './read-csv.ts'
import { storeLines } from './store-lines.ts'

const MOST_CHARACTERS = 1024 * 1024
/** Bounds the work between two statements, which holds the event loop. */
const AT_ONCE = 250

const outcomes = ['created', 'updated', 'skipped', 'failed'] as const

export interface Outcome {
  line: number
  outcome: (typeof outcomes)[number]
  message: string
}

const count = () => z.int().min(0)

export const importSubscribers = operation({
  name: 'subscribers.import',
  makes: 'subscriber',
  area: 'audience',
  permission: 'admin',
  affectsPage: false,
  summary: 'Import subscribers from a CSV file',
  description:
    `A file has at most ${MOST_LINES} lines. ` +
    'Columns are `email`, `locale`, `items` and `event_kinds`, in the order of the header line; only `email` is required. `items` has slugs, external ids or ids, `event_kinds` has keys, both joined by `;`; an empty cell leaves the default, or what is stored. A line that fails stops no other line, and a line with text in more cells than the header line fails. A file that is no CSV, as with a quote that does not end, is refused as a whole. An address that has unsubscribed or is suppressed is skipped. The answer under an Idempotency-Key is repeated without `lines`.',
  input: z.strictObject({
    csv: z.string().max(MOST_CHARACTERS),
    confirmed: flag()
      .default(false)
      .describe('The persons have agreed: the subscribers are active at once. Otherwise confirmations are sent'),
  }),
  output: z
    .strictObject({
      created: count(),
      updated: count(),
      skipped: count(),
      failed: count(),
      lines: unkept(
        z
          .array(z.strictObject({ line: z.int(), outcome: z.enum(outcomes), message: z.string() }))
          .optional()
          .describe('One entry for each line below the header'),
      ),
    })
    .meta({ id: 'SubscriberImport' }),
  run: async (ctx, { csv, confirmed }) => {
    const { lines, refused } = await sorted(await readCsv(csv), await knownOn(ctx))
    const stored: Outcome[] = []
    for (let at = 0; at < lines.length; at += AT_ONCE) {
      stored.push(...(await storeLines(ctx, lines.slice(at, at + AT_ONCE), confirmed)))
    }
    const all = [...stored, ...refused].sort((a, b) => a.line - b.line)
    const of = (outcome: Outcome['outcome']) => all.filter((one) => one.outcome === outcome).length
    const [created, updated, skipped, failed] = outcomes.map(of) as [number, number, number, number]
    if (created + updated === 0) ctx.existing()
    return { created, updated, skipped, failed, lines: all }
  },
})

/** The lines to store, and the outcomes of the others. Of lines with the same address only the first is stored. */
async function sorted(rows: Awaited<ReturnType<typeof readCsv>>, known: Known) {
  const lines = new Map<string, ImportedLine>()
  const refused: Outcome[] = []
  for (const [index, row] of rows.entries()) {
    if (index % AT_ONCE === 0) await setImmediate()
    const read = readLine(row, known)
    if (typeof read === 'string') {
      refused.push({ line: row.line, outcome: 'failed', message: read })
      continue
    }
    const first = lines.get(read.address)
    if (first) refused.push({ line: row.line, outcome: 'skipped', message: `Line ${first.line} has this address.` })
    else lines.set(read.address, read)
  }
  return { lines: [...lines.values()], refused }
}

const emails = email()
const locales = locale()

async function knownOn({ tx }: Context): Promise<Known> {
  const fields = ['id', 'slug', 'external_id'] as const
  const items = await tx.find(HierarchyItem, { archived_at: null }, { fields })
  const named = (name: (item: (typeof items)[number]) => string | null | undefined) =>
    new Map(items.flatMap((item) => (name(item) ? [[name(item), item.id] as const] : [])))
  const maps = [named(({ slug }) => slug), named(({ external_id }) => external_id), named(({ id }) => `${id}`)]
  return {
    isEmail: (text) => emails.safeParse(text).success,
    localeOf: (text) => locales.safeParse(text).data,
    itemOf: (name) => maps.map((map) => map.get(name)).find((id) => id !== undefined),
    isKind: isPublicKey,
  }
}
