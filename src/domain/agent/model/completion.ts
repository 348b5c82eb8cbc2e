import { z } from 'zod'
import type { JsonSchema } from '../../kernel/json-schema.ts'
import { LIMITS } from './limits.ts'

/** The parts of the chat completions protocol that are used. */

export interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

export type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: ToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string }

export interface FunctionTool {
  type: 'function'
  function: { name: string; description: string; parameters: JsonSchema }
}

const toolCall = z.object({
  id: z.string().max(200),
  function: z.object({ name: z.string().max(200), arguments: z.string() }),
})

/** Servers add members of their own, so an unknown one is no error. */
export const Completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z.array(toolCall).max(LIMITS.callsInOneRound).nullish(),
        }),
      }),
    )
    .min(1),
})

export interface Answer {
  text: string
  calls: ToolCall[]
}

export function answerOf({ choices: [choice] }: z.output<typeof Completion>): Answer {
  const { content, tool_calls } = choice!.message
  const calls = (tool_calls ?? []).map(({ id, function: named }) => ({
    id,
    type: 'function' as const,
    function: named,
  }))
  return { text: (content ?? '').trim(), calls }
}

/** The value of a JSON text; undefined for another text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
