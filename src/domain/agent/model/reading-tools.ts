import type { RecordKind, RecordSlot } from '../language/types.ts'
import { runTool, tools } from '../tools/index.ts'
import { toolInputSchema } from '../tools/input-schema.ts'
import type { AnyTool, ToolContext } from '../tools/tool.ts'
import type { FunctionTool } from './completion.ts'
import { LIMITS } from './limits.ts'

/** The tools that only read. `ask` would ask this model again. */
const reading: AnyTool[] = tools.filter(({ effect, name }) => effect === 'read' && name !== 'ask')

export const functionOf = ({
  name,
  description,
  input,
}: Pick<AnyTool, 'name' | 'description' | 'input'>): FunctionTool => ({
  type: 'function',
  function: { name, description, parameters: toolInputSchema(input) },
})

export interface ReadingTools {
  functions: FunctionTool[]
  /** The result as the text of a message, or undefined for an unknown tool. Throws the Problem of a refused call. */
  run(name: string, given: unknown): Promise<string | undefined>
  /** The records that the model has read, the newest first. */
  records: RecordSlot[]
  /** How many calls had a result. */
  results: number
}

/** The reading tools for one answer, with the permissions of the token and bounded results. */
export function openReadingTools(ctx: ToolContext): ReadingTools {
  const records: RecordSlot[] = []
  let left: number = LIMITS.charactersOfResults
  const opened: ReadingTools = {
    functions: reading.map(functionOf),
    records,
    results: 0,
    async run(name, given) {
      const tool = reading.find((one) => one.name === name)
      if (!tool) return undefined
      const result = await runTool(ctx, tool, given)
      opened.results += 1
      const record = recordOf(ctx, given, result)
      if (record) records.unshift(record)
      const text = JSON.stringify({ data: result })
      if (text.length > LIMITS.charactersOfResult) return tooLong(text.length)
      if (text.length > left) return 'No more results fit: answer with what you have.'
      left -= text.length
      return text
    },
  }
  return opened
}

const tooLong = (length: number): string =>
  `The result has ${length} characters, and at most ${LIMITS.charactersOfResult} are given: use a filter or a lower limit.`

const kinds: Partial<Record<string, RecordKind>> = {
  ...{ incident: 'incident', maintenance: 'maintenance', series: 'series', beat: 'beat', beat_group: 'beat_group' },
  ...{ item: 'item', action: 'action', endpoint: 'endpoint' },
}

/** The record that `read` has read, for "it" in later messages. */
function recordOf({ services }: ToolContext, given: unknown, result: object): RecordSlot | undefined {
  const { operation: name } = given as { operation?: unknown }
  const operation = typeof name === 'string' ? services.operations.get(name) : undefined
  const kind = operation?.subject && kinds[operation.subject.kind]
  const { id, title, name: own } = result as { id?: unknown; title?: unknown; name?: unknown }
  return kind && typeof id === 'number' ? { kind, id, name: String(title ?? own ?? '') } : undefined
}
