import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'koa'
import type { ProcessRef } from '../../workflows/processes.ts'
import { getCheck } from '../domain/beats/checks/operations.ts'
import type { Outcome } from '../domain/kernel/execute.ts'
import { execute } from '../domain/kernel/execute.ts'
import { getWorkflow } from '../domain/processes/operations.ts'
import type { ApiDeps } from './deps.ts'
import type { Route } from './routes/route.ts'
import { waitForConfirmation, waitForDraft, waitForTurn } from './waiting-agent.ts'
import { callOf, later, type Wait } from './waiting-parts.ts'

/** Adds the state of the workflow in Temporal for `view=full`. */
export async function addInspection(deps: ApiDeps, ctx: Context, outcome: Outcome): Promise<void> {
  if (ctx.query.view !== 'full') return
  ctx.body = { ...(outcome.output as object), temporal: await deps.inspect(ctx.params.workflow_id) }
}

export const waitFor: Record<NonNullable<Route['waits']>, Wait> = {
  turn: waitForTurn,
  plan: waitForDraft,
  confirmation: waitForConfirmation,

  /** Wakes the process of the committed request. Answers the state of the process, or 202 with a Location. */
  async process(deps, ctx, page, outcome) {
    const { request_id, workflow } = outcome.output as Asked
    const answered = await deps.ask({ ...workflow.subject, pageId: page.id }, request_id)
    if (!answered) return later(ctx, ctx.path.replace(/\/wake$/, ''))
    const { output } = await execute(deps.services, getWorkflow, {
      ...callOf(ctx, page),
      input: { workflow_id: workflow.workflow_id },
    })
    ctx.body = { request_id, workflow: output }
  },

  /** The commit has woken the process of the check. Polls for the result, or answers 202 with a Location. */
  async check(deps, ctx, page, outcome) {
    const { check_id } = outcome.output as { check_id: number }
    const deadline = Date.now() + deps.patience.checkMs
    for (;;) {
      const { output } = await execute(deps.services, getCheck, { ...callOf(ctx, page), input: { check_id } })
      ctx.body = output
      if ((output as { status: string }).status === 'completed') return
      if (Date.now() >= deadline) break
      await sleep(LOOK_EVERY_MS)
    }
    later(ctx, `${ctx.path.replace(/\/beats\/.*/, '/beats/checks')}/${check_id}`)
  },
}

interface Asked {
  request_id: number
  workflow: { workflow_id: string; subject: ProcessRef }
}

const LOOK_EVERY_MS = 50
