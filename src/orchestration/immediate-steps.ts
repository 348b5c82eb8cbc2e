import { agentQueue } from '../../workflows/contract.ts'
import { processKinds, workflowIdOf } from '../../workflows/processes.ts'
import type { ProcessOfPage } from '../domain/kernel/processes.ts'
import type { Services, Wakeups } from '../domain/kernel/services.ts'
import { takeStepHere } from '../domain/kernel/step.ts'
import { steps } from '../domain/steps.ts'
import { claimWakeups } from '../persistence/system/wakeups.ts'
import { periodically } from './periodically.ts'

/** Takes the steps of the processes that this API or worker process wakes, right after the commit. */
export interface ImmediateSteps extends Wakeups {
  /** Waits for running steps. The relay sends the wake-ups of all other steps. */
  close(): Promise<void>
}

interface Options {
  services: Pick<Services, 'system' | 'clock' | 'logger'>
  /** Takes the step of a process; returns whether its workflow has to set an earlier timer. */
  takeStep(process: ProcessOfPage): Promise<{ needsTimer: boolean }>
  /** Signals the workflow of a process. */
  signal: Wakeups
  /** How many quick and how many slow steps are taken at once: requests need connections, too. */
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
  /** By their workflow ids, as the rows of their wake-ups. */
  const waiting = new Map<string, ProcessOfPage>()
  const running = new Map<string, { step: Promise<void>; slow: boolean }>()
  const claimedUntil = new Map<string, number>()
  let closed = false

  const busy = (slow: boolean) => [...running.values()].filter((one) => one.slow === slow).length

  function pump(): void {
    for (const [workflowId, process] of waiting) {
      if (closed) return
      if (running.has(workflowId) || busy(isSlow(process)) >= width) continue
      waiting.delete(workflowId)
      claimedUntil.delete(workflowId)
      const step = take(workflowId, process).finally(() => {
        running.delete(workflowId)
        pump()
      })
      running.set(workflowId, { step, slow: isSlow(process) })
    }
  }

  async function take(workflowId: string, process: ProcessOfPage): Promise<void> {
    try {
      const { needsTimer } = await takeStep(process)
      if (needsTimer) signal.wakeProcesses([process])
    } catch (error) {
      // The row of its wake-up still exists, and the relay sends it.
      services.logger.debug({ workflow_id: workflowId, err: error }, 'a step failed and is left to the workflow')
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
    wakeProcesses(processes) {
      if (closed) return
      const elsewhere: ProcessOfPage[] = []
      for (const process of processes) {
        // Only the workflow can run errands between the steps.
        if (processKinds[process.kind].hasErrands) elsewhere.push(process)
        else waiting.set(workflowIdOf(process), process)
      }
      if (elsewhere.length > 0) signal.wakeProcesses(elsewhere)
      pump()
    },
    async close() {
      closed = true
      await claiming.close()
      await Promise.allSettled([...running.values()].map(({ step }) => step))
    },
  }
}

/** Steps that may wait for a model delay no others. */
const isSlow = ({ kind }: ProcessOfPage): boolean => processKinds[kind].queue === agentQueue

/** Takes the step of a process without its workflow. */
export const stepTaker =
  (services: Services): Options['takeStep'] =>
  (process) =>
    takeStepHere(services, steps[process.kind], process)
