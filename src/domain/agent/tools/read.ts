import { z } from 'zod'
import { invalid } from '../../kernel/errors.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { operationNamed } from './operation-named.ts'
import { call, tool } from './tool.ts'
import { withoutPreviews } from './without-previews.ts'

/** A longer answer would fill the memory of a model. */
const MOST_CHARACTERS = 60_000
const USUAL_LIMIT = 20

export const read = tool({
  name: 'read',
  title: 'Run a reading operation',
  description:
    'Runs an operation that only reads, such as incidents.list, incidents.get {id}, maintenances.list, items.uptime {id, days}, beats.runs {id}, audit.list. Lists take `limit`, `cursor` and often `view: "full"`.',
  effect: 'read',
  input: z.strictObject({
    operation: z.string().max(100),
    input: z.record(z.string(), z.unknown()).default({}).describe('`id` or `external_id` names the record'),
  }),
  async run(ctx, { operation: name, input }) {
    const operation = operationNamed(ctx, name)
    if (operation.changes) {
      throw invalid([{ path: 'operation', message: `must only read: ${name} changes something, so draft it by plan` }])
    }
    const output = withoutPreviews(
      await call(ctx, operation, asQuery(operation, withLimit(operation, input))),
    ) as object
    const { length } = JSON.stringify(output)
    if (length <= MOST_CHARACTERS) return output
    throw invalid([
      {
        path: 'input',
        message: `leads to an answer of ${length} characters, and at most ${MOST_CHARACTERS} are returned: use filters or a lower limit`,
      },
    ])
  },
})

function withLimit({ input: { shape } }: AnyOperation, input: Record<string, unknown>): Record<string, unknown> {
  return 'limit' in shape && 'cursor' in shape ? { limit: USUAL_LIMIT, ...input } : input
}

/** Inputs of reads come from queries, in which every value is a text: a field that takes `"true"` gets `true` as a text. */
function asQuery({ input: { shape } }: AnyOperation, input: Record<string, unknown>): Record<string, unknown> {
  const fields = shape as Record<string, z.ZodType>
  const entries = Object.entries(input).map(([name, value]) => {
    const field = fields[name]
    const isText = typeof value === 'boolean' && field && !field.safeParse(value).success
    return [name, isText && field.safeParse(String(value)).success ? String(value) : value]
  })
  return Object.fromEntries(entries)
}
