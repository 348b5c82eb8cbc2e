import { setTimeout as sleep } from 'node:timers/promises'
import { getPlanState } from '../domain/agent/plans/plan-state.ts'
import { refusalOf } from '../domain/agent/plans/refusals.ts'
import { getAnswer } from '../domain/agent/turns/respond.ts'
import { execute, type Outcome } from '../domain/kernel/execute.ts'
import type { ApiDeps } from './app.ts'
import { callOf, later, type Wait } from './waiting-parts.ts'

const FIRST_LOOK_MS = 5
const LONGEST_PAUSE_MS = 100

/** Calls `look` until it returns something or the patience is over. The process that answers is often this one. */
async function poll<T>(patienceMs: number, look: () => Promise<T | undefined>): Promise<T | undefined> {
  const deadline = Date.now() + patienceMs
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const found = await look()
    if (found !== undefined || Date.now() + pause > deadline) return found
    await sleep(pause)
  }
}

/** Waits for the answer of a new turn. A turn that another request waits for is answered as it is. */
export const waitForTurn: Wait = async (deps, ctx, page, outcome) => {
  const { turn_id, outcome: state } = outcome.output as { turn_id: number; outcome: string }
  if (state !== 'processing' || (outcome.existing && !outcome.replayed)) return
  const answer = await poll(deps.patience.turnMs, async () => {
    const { output } = await execute(deps.services, getAnswer, { ...callOf(ctx, page), input: { turn_id } })
    return (output as { outcome: string }).outcome === 'processing' ? undefined : output
  })
  if (answer) ctx.body = answer
}

/** Waits for the draft with new answers, or answers 202 with the plan. */
export const waitForPlan: Wait = async (deps, ctx, page, outcome) => {
  const plan = await settled(deps, ctx, page, outcome)
  ctx.body = plan ?? ctx.body
  if (!plan) later(ctx, placeOf(ctx.path))
}

/** Waits for the end of a confirmed plan, or answers 202 with the plan. */
export const waitForConfirmation: Wait = async (deps, ctx, page, outcome) => {
  const isAsync = /(^|,)\s*respond-async\s*(,|;|$)/i.test(ctx.get('Prefer'))
  if (isAsync) ctx.set('Preference-Applied', 'respond-async')
  const plan = await settled(deps, ctx, page, outcome, isAsync ? 0 : undefined)
  if (!plan) return later(ctx, placeOf(ctx.path))
  const refusal = refusalOf(plan)
  if (refusal) throw refusal
  ctx.body = plan
}

const placeOf = (path: string) => path.replace(/\/(respond|confirm)$/, '')

type Shown = Parameters<typeof refusalOf>[0]

function settled(
  deps: ApiDeps,
  ctx: Parameters<Wait>[1],
  page: Parameters<Wait>[2],
  { output }: Outcome,
  patienceMs = deps.patience.planMs,
): Promise<Shown | undefined> {
  const { id } = output as { id: number }
  return poll(patienceMs, async () => {
    const state = await execute(deps.services, getPlanState, { ...callOf(ctx, page), input: {}, ref: { id } })
    const { plan, settled: isSettled } = state.output as { plan: Shown; settled: boolean }
    return isSettled ? plan : undefined
  })
}
