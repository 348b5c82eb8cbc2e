import type { Actor } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/parse.ts'
import { ask } from './ask.ts'
import { describeOperation, listOperations } from './catalogue.ts'
import { explain } from './explain.ts'
import { getStatus } from './get-status.ts'
import { answerPlan, applyPlan, cancel, plan } from './plans.ts'
import { read } from './read.ts'
import { search } from './search.ts'
import { type AnyTool, mayWrite, type ToolContext } from './tool.ts'

/** All tools, in the order of every list. */
export const tools: readonly AnyTool[] = [
  ...[getStatus, search, ask, explain, read, listOperations, describeOperation],
  ...[plan, answerPlan, applyPlan, cancel],
]

/** The tools that a token sees. */
export const toolsOf = (actor: Actor): AnyTool[] => tools.filter(({ effect }) => effect === 'read' || mayWrite(actor))

/** Runs a tool for a token. */
export async function runTool(
  ctx: ToolContext,
  { name, effect, input, run }: AnyTool,
  given: unknown,
): Promise<object> {
  if (effect === 'write' && !mayWrite(ctx.actor)) {
    throw new Problem('forbidden', `The tool ${name} needs a token that may write, and this token only reads.`)
  }
  return run(ctx, parseInput(input, given))
}
