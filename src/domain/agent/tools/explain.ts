import { z } from 'zod'
import { type ProcessKind, processKinds } from '../../../../workflows/processes.ts'
import { Problem } from '../../kernel/errors.ts'
import { getWorkflow, getWorkflowHistory } from '../../processes/operations.ts'
import { call, type ToolContext, tool } from './tool.ts'

const kinds = Object.keys(processKinds) as [ProcessKind, ...ProcessKind[]]

export const explain = tool({
  name: 'explain',
  title: 'Explain what happened',
  description:
    'Why something happened or did not: the history of the process of a record, newest first, what the process waits for now and until when.',
  effect: 'read',
  input: z.strictObject({
    kind: z.enum(kinds),
    id: z.int().min(1),
    limit: z.int().min(1).max(100).default(20),
  }),
  async run(ctx, { kind, id, limit }) {
    const workflow_id = `${kind}:${id}`
    const workflow = await processOf(ctx, workflow_id)
    if (!workflow) return { workflow_id, state: 'none', sentence: 'This record has no process: nothing is due.' }
    const { events, total } = await call(ctx, getWorkflowHistory, { workflow_id, limit })
    const { state, waiting_for, until, problem } = workflow
    return { workflow_id, state, waiting_for, until, problem, history: events, history_total: total }
  },
})

async function processOf(ctx: ToolContext, workflow_id: string) {
  try {
    return await call(ctx, getWorkflow, { workflow_id })
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}
