import type { Context } from 'koa'
import type { PageRef } from '../domain/kernel/context.ts'
import type { Outcome } from '../domain/kernel/execute.ts'
import { execute } from '../domain/kernel/execute.ts'
import { getWorkflow } from '../domain/processes/operations.ts'
import type { ApiDeps } from './app.ts'
import type { ApiState } from './state.ts'

/** What Temporal knows is added to what we know, when the full view is asked for. */
export async function addInspection(deps: ApiDeps, ctx: Context, outcome: Outcome): Promise<void> {
  if (ctx.query.view !== 'full') return
  ctx.body = { ...(outcome.output as object), temporal: await deps.inspect(ctx.params.workflow_id) }
}

/** The question is committed; now ring, and answer what the process says, or 202 with where to look later. */
export async function waitForAnswer(
  deps: ApiDeps,
  ctx: Context & { state: ApiState },
  page: PageRef,
  outcome: Outcome,
): Promise<void> {
  const { request_id, workflow } = outcome.output as { request_id: number; workflow: { workflow_id: string } }
  const answered = await deps.ask({ workflowId: workflow.workflow_id, pageId: page.id }, request_id)
  if (!answered) {
    ctx.status = 202
    ctx.set('Location', ctx.path.replace(/\/wake$/, ''))
    return
  }
  const { output } = await execute(deps.services, getWorkflow, {
    page,
    actor: ctx.state.caller!.actor,
    requestId: ctx.state.requestId,
    input: { workflow_id: workflow.workflow_id },
  })
  ctx.body = { request_id, workflow: output }
}
