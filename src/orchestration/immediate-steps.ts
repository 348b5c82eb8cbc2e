import { parseWorkflowId, processKinds } from '../../workflows/contract.ts'
import type { Bell, Services } from '../domain/kernel/services.ts'
import { takeStepHere } from '../domain/kernel/step.ts'
import { steps } from '../domain/steps.ts'
import { claimWakeups } from '../persistence/system/wakeups.ts'
import { periodically } from './periodically.ts'
import type { Target } from './signals.ts'

/** Takes the steps of the processes that this API or worker process wakes, right after the commit. */
export interface ImmediateSteps extends Bell {
  /** Waits for running steps. The relay sends the wake-ups of all other steps. */
  close(): Promise<void>
}

interface Options {
  services: Pick<Services, 'system' | 'clock' | 'logger'>
  /** Takes the step of a process; returns whether its workflow has to set an earlier timer. */
  takeStep(target: Target): Promise<{ needsTimer: boolean }>
  /** Signals the workflow of a process. */
  signal: Bell
  /** How many steps are taken at once: requests need connections, too. */
  width?: number
  claimEveryMs?: number
}

const CLAIM_EVERY_MS = 400
/** The relay does not send a claimed wake-up for this long. A claim that is not renewed belongs to a dead process. */
const CLAIMED_FOR_MS = 5000
/** A claim with less remaining time is renewed. */
const CLAIM_LEFT_MS = 1000

/**
 * The process that wrote the facts takes the step, because only due moments need Temporal. Temporal is signalled for a later
 * due moment, or by the relay of another process if this process dies before the step.
 */
export function startImmediateSteps({ services, takeStep, signal, width = 4, claimEveryMs }: Options): ImmediateSteps {
  const waiting = new Map<string, Target>()
  const running = new Map<string, Promise<void>>()
  const claimedUntil = new Map<string, number>()
  let closed = false

  function pump(): void {
    for (const [workflowId, target] of waiting) {
      if (closed || running.size >= width) return
      if (running.has(workflowId)) continue
      waiting.delete(workflowId)
      claimedUntil.delete(workflowId)
      const step = take(target).finally(() => {
        running.delete(workflowId)
        pump()
      })
      running.set(workflowId, step)
    }
  }

  async function take(target: Target): Promise<void> {
    try {
      const { needsTimer } = await takeStep(target)
      if (needsTimer) signal.ring([target])
    } catch (error) {
      // The row of its wake-up still exists, and the relay sends it.
      services.logger.debug({ workflow_id: target.workflowId, err: error }, 'a step failed and is left to the workflow')
    }
  }

  async function claim(): Promise<void> {
    const now = services.clock().getTime()
    const ending = [...waiting.keys()].filter((id) => (claimedUntil.get(id) ?? 0) < now + CLAIM_LEFT_MS)
    if (ending.length === 0) return
    const until = now + CLAIMED_FOR_MS
    await claimWakeups(services.system, ending, new Date(until))
    for (const id of ending) if (waiting.has(id)) claimedUntil.set(id, until)
  }

  const claiming = periodically(claim, {
    everyMs: claimEveryMs ?? CLAIM_EVERY_MS,
    onFailure: (error) => services.logger.debug({ err: error }, 'wake-ups could not be claimed'),
  })

  return {
    ring(targets) {
      if (closed) return
      const elsewhere: Target[] = []
      for (const target of targets) {
        if (needsItsWorkflow(target)) elsewhere.push(target)
        else waiting.set(target.workflowId, target)
      }
      if (elsewhere.length > 0) signal.ring(elsewhere)
      pump()
    },
    async close() {
      closed = true
      await claiming.close()
      await Promise.allSettled(running.values())
    },
  }
}

/** Whether only the workflow can take the steps, because it runs errands between them. */
function needsItsWorkflow({ workflowId }: Target): boolean {
  const kind = parseWorkflowId(workflowId)?.kind
  return kind === undefined || processKinds[kind].hasErrands
}

/** Takes the step of a process without its workflow. */
export const stepTaker =
  (services: Services): Options['takeStep'] =>
  ({ workflowId, pageId }) => {
    const { kind, id } = parseWorkflowId(workflowId)!
    return takeStepHere(services, steps[kind], { kind, pageId, id })
  }
