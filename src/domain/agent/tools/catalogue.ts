import { z } from 'zod'
import type { AnyOperation } from '../../kernel/operation.ts'
import { isPlannable } from '../plans/draft-steps.ts'
import { operationInputSchema } from './input-schema.ts'
import { operationNamed } from './operation-named.ts'
import { isPermitted, type ToolContext, tool } from './tool.ts'

const effectOf = ({ changes }: AnyOperation) => (changes ? ('write' as const) : ('read' as const))

/** The operations that this token may run by `read` or by a plan. */
const available = (ctx: ToolContext): AnyOperation[] =>
  [...ctx.services.operations.values()].filter(
    (operation) => isPermitted(ctx, operation) && (operation.changes ? isPlannable(operation) : true),
  )

export const listOperations = tool({
  name: 'list_operations',
  title: 'List operations',
  description:
    'The operations of this token: for `read` those with effect read, for `plan` those with effect write. Without a filter only the names, by area.',
  effect: 'read',
  input: z.strictObject({
    area: z.string().max(50).optional().describe('Such as incidents'),
    words: z.string().max(100).optional().describe('Words of the name or the summary'),
    effect: z.enum(['read', 'write']).optional(),
  }),
  async run(ctx, { area, words, effect }) {
    const all = available(ctx)
    if (area === undefined && words === undefined && effect === undefined) {
      const byArea = Map.groupBy(all, (operation) => operation.area)
      const names = [...byArea].map(([key, list]) => [key, list.map(({ name }) => name)])
      return { names_by_area: Object.fromEntries(names), total: all.length }
    }
    const terms = (words ?? '').toLowerCase().split(/\s+/).filter(Boolean)
    const found = all.filter((operation) => {
      const text = `${operation.name} ${operation.summary}`.toLowerCase()
      return (
        (area === undefined || operation.area === area) &&
        (effect === undefined || effectOf(operation) === effect) &&
        terms.every((term) => text.includes(term))
      )
    })
    const operations = found.map((operation) => {
      const { name, summary, permission } = operation
      return { name, effect: effectOf(operation), area: operation.area, permission, summary }
    })
    return { operations, total: operations.length, ...(found.length === 0 ? { areas: areasOf(all) } : {}) }
  },
})

const areasOf = (operations: AnyOperation[]) => [...new Set(operations.map(({ area }) => area))]

export const describeOperation = tool({
  name: 'describe_operation',
  title: 'Describe an operation',
  description: 'What an operation does, the permission that it needs, and the JSON Schema of its input.',
  effect: 'read',
  input: z.strictObject({ operation: z.string().max(100) }),
  async run(ctx, { operation: name }) {
    const operation = operationNamed(ctx, name)
    const { area, permission, summary, description, subject } = operation
    return {
      ...{ name, effect: effectOf(operation), area, permission, summary, description },
      permitted: isPermitted(ctx, operation),
      subject: subject && !subject.singleton ? subject.kind : undefined,
      input: operationInputSchema(operation),
    }
  },
})
