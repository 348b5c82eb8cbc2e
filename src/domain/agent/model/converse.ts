import { Problem } from '../../kernel/errors.ts'
import type { DraftStep, ResponseContext } from '../response-types.ts'
import type { ChatModel } from './chat-model.ts'
import { type Message, parseJson, type ToolCall } from './completion.ts'
import type { DeclaredChange } from './declare-changes.ts'
import { draftDeclared, draftFunction } from './draft-tool.ts'
import { LIMITS } from './limits.ts'
import { ModelFailed } from './model-failed.ts'
import type { ReadingTools } from './reading-tools.ts'

/** How a conversation ends: with a text, or with the steps of a plan. */
export type Outcome = { text: string } | { steps: DraftStep[] }

interface Conversation {
  model: ChatModel
  ctx: Pick<ResponseContext, 'read'>
  tools: ReadingTools
  changes: DeclaredChange[]
  signal: AbortSignal
  /** The areas that the token may not read, in words. */
  refusals: string[]
}

/** Lets the model read until it answers or drafts. `plan` exists only if the message asks for changes. */
export async function converse(conversation: Conversation, messages: Message[], rounds: number): Promise<Outcome> {
  const { model, tools, changes, signal } = conversation
  const functions = [...tools.functions, ...(changes.length > 0 ? [draftFunction] : [])]
  for (let round = 0; round < rounds; round += 1) {
    const { text, calls } = await model.next({ messages, tools: functions }, signal)
    if (calls.length === 0) {
      if (text === '') throw new ModelFailed('The model answered with an empty text.')
      return { text }
    }
    messages.push({ role: 'assistant', content: text === '' ? null : text, tool_calls: calls })
    for (const call of calls) {
      const result = await resultOf(conversation, call)
      if (typeof result !== 'string') return result
      messages.push({ role: 'tool', tool_call_id: call.id, content: result })
    }
  }
  throw new ModelFailed(`The model had no answer after ${LIMITS.rounds} rounds.`)
}

/** The result of a call as text, or the accepted steps. What the model did wrong is a text for the model. */
async function resultOf(conversation: Conversation, call: ToolCall): Promise<string | { steps: DraftStep[] }> {
  const { ctx, tools, changes, refusals } = conversation
  const { name } = call.function
  const given = call.function.arguments.trim() === '' ? {} : parseJson(call.function.arguments)
  if (typeof given !== 'object' || given === null) return 'Error: the arguments are not a JSON object.'
  try {
    if (name === draftFunction.function.name && changes.length > 0) {
      return { steps: await draftDeclared(ctx, changes, given) }
    }
    return (await tools.run(name, given)) ?? `Error: there is no tool ${JSON.stringify(name)}.`
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'forbidden') refusals.push(error.message)
    return `Error: ${error.message}`
  }
}
