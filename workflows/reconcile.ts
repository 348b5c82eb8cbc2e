import {
  allHandlersFinished,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  makeContinueAsNewFunc,
  patched,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  type Workflow,
  workflowInfo,
} from '@temporalio/workflow'
import {
  ringUpdate,
  type StepInput,
  type StepOutput,
  type Steps,
  type SubjectOfPage,
  stateQuery,
  wakeSignal,
} from './contract.ts'
import { type ProcessKind, processKinds } from './processes.ts'

/** One attempt only: a retry is a new call with the moment of that call. */
const { step } = proxyLocalActivities<Steps>({ startToCloseTimeout: '30s', retry: { maximumAttempts: 1 } })

const PAUSE_MS = { first: 200, longest: 30_000 }
const LONGEST_RUN_MS = 24 * 60 * 60 * 1000
/** A waiting process takes a step and continues as new each day: no open history is older than the release before last. */
const LONGEST_WAIT_MS = LONGEST_RUN_MS

/**
 * The loop of every process: wait for a wake-up or the due moment, take a step, read the next due moment from its output.
 * The flag is cleared before the step and read after the step without an await in between, so no wake-up is lost.
 * A change of the loop needs `patched()`: docs/operations.md has the recipe.
 */
export async function reconcile(
  kind: ProcessKind,
  ref: SubjectOfPage,
  errand?: (where: string) => Promise<void>,
): Promise<void> {
  const started = Date.now()
  let woken = true
  let asked = 0
  let answered = 0
  let last: StepOutput = { done: false, says: 'starting' }

  const wake = () => {
    woken = true
  }
  setHandler(defineSignal(wakeSignal), wake, { description: 'Facts have changed: take a step' })
  // Returns once a step that began after this call has finished. The answer is in the database.
  const ring = async () => {
    asked += 1
    const mine = asked
    woken = true
    await condition(() => answered >= mine)
  }
  setHandler(defineUpdate<void>(ringUpdate), ring, { description: 'Take a step now, and return after the step' })
  setHandler(defineQuery<StepOutput>(stateQuery), () => last, {
    description: 'What the process waits for, and until when',
  })

  for (;;) {
    woken = false
    const ringing = asked
    last = await stepUntilItSucceeds({ kind, ...ref })
    answered = ringing
    // Names the process, because a run that continues as new loses the summary of the first run.
    setCurrentDetails(`The ${kind} ${ref.id} of page ${ref.page_id} waits for ${last.says}`)
    if (last.errand !== undefined && errand) {
      await errand(last.errand)
      continue
    }
    if (last.done || (last.until === undefined && patched('ends without a due moment'))) {
      await condition(() => woken || allHandlersFinished())
      if (woken) continue
      return
    }
    if (!woken && isOld(started)) {
      await condition(() => woken || allHandlersFinished())
      if (!woken) await continueAsNewOn(processKinds[kind].queue)(ref)
      continue
    }
    await nextMoment(() => woken, last)
  }
}

/** Retries while the database is away. The moment of a step is the moment of the attempt that succeeds. */
async function stepUntilItSucceeds(input: Omit<StepInput, 'now'>): Promise<StepOutput> {
  for (let pause = PAUSE_MS.first; ; pause = Math.min(2 * pause, PAUSE_MS.longest)) {
    try {
      return await step({ ...input, now: Date.now() })
    } catch (error) {
      if (isCancellation(error)) throw error
      await sleep(pause)
    }
  }
}

/** Continues as new on the present queue of the kind, whatever the queue of this run. */
export const continueAsNewOn = <W extends Workflow>(taskQueue: string) => makeContinueAsNewFunc<W>({ taskQueue })

export function isOld(started: number): boolean {
  return workflowInfo().continueAsNewSuggested || Date.now() - started > LONGEST_RUN_MS
}

async function nextMoment(woken: () => boolean, { until, says }: StepOutput): Promise<void> {
  if (until === undefined) {
    await condition(woken)
    return
  }
  const wait = Math.min(Math.max(until - Date.now(), 1), LONGEST_WAIT_MS)
  await condition(woken, wait, { summary: says })
}
