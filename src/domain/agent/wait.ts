import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { type Call, execute } from '../kernel/execute.ts'
import type { Services } from '../kernel/services.ts'
import { getPlanState } from './plans/plan-state.ts'
import type { PlanResource } from './plans/schema.ts'
import { getAnswer } from './turns/respond.ts'
import type { DelegationAnswer } from './turns/schema.ts'

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

type Caller = Pick<Call, 'page' | 'actor' | 'requestId'>
type Answer = z.output<typeof DelegationAnswer>
type Plan = z.output<typeof PlanResource>

/** The answer of a turn, or undefined if the turn is not answered in time. */
export const waitForAnswer = (services: Services, caller: Caller, turn_id: number, patienceMs: number) =>
  poll(patienceMs, async () => {
    const answer = (await execute(services, getAnswer, { ...caller, input: { turn_id } })).output as Answer
    return answer.outcome === 'processing' ? undefined : answer
  })

/** The plan after its new answers or its confirmation, or undefined if its process is not done with them in time. */
export const waitForPlan = (services: Services, caller: Caller, id: number, patienceMs: number) =>
  poll(patienceMs, async () => {
    const { output } = await execute(services, getPlanState, { ...caller, input: {}, ref: { id } })
    const { plan, settled } = output as { plan: Plan; settled: boolean }
    return settled ? plan : undefined
  })
