import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import {
  type ProcessKind,
  type ProcessRef,
  ringUpdate,
  type StepOutput,
  type Steps,
  stateQuery,
  wakeSignal,
} from './contract.ts'

const { step } = proxyLocalActivities<Steps>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
  // A database that stays away is waited for by a timer: a worker that waits writes to the history every few seconds.
  localRetryThreshold: '1s',
})

const LONGEST_RUN_MS = 24 * 60 * 60 * 1000
/** Timers longer than this are taken in pieces: a far moment is only a reason to look again. */
const LONGEST_WAIT_MS = 7 * 24 * 60 * 60 * 1000

/**
 * The loop that every process is: wait for a wake-up or the due moment, take a step, learn the next due moment.
 * The flag is cleared before the step and checked after it without an await in between, so no wake-up falls in a gap.
 */
export async function reconcile(
  kind: ProcessKind,
  ref: ProcessRef,
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
  setHandler(defineSignal(wakeSignal), wake, { description: 'Something happened: look' })
  // A doorbell: it returns once a step that began after the ring has finished. The answer is in the database.
  const ring = async () => {
    asked += 1
    const mine = asked
    woken = true
    await condition(() => answered >= mine)
  }
  setHandler(defineUpdate<void>(ringUpdate), ring, { description: 'Look now, and answer when you have' })
  setHandler(defineQuery<StepOutput>(stateQuery), () => last, { description: 'What it waits for, and until when' })

  for (;;) {
    woken = false
    const ringing = asked
    last = await step({ kind, ...ref, now: Date.now() })
    answered = ringing
    // With its name: a run that is continued as new loses the summary that the first was started with.
    setCurrentDetails(`The ${kind} ${ref.id} of page ${ref.page_id} waits for ${last.says}`)
    if (last.errand !== undefined && errand) {
      await errand(last.errand)
      continue
    }
    if (last.done) {
      await condition(() => woken || allHandlersFinished())
      if (woken) continue
      return
    }
    if (!woken && isOld(started)) {
      await condition(() => woken || allHandlersFinished())
      if (!woken) await continueAsNew(ref)
      continue
    }
    await nextMoment(() => woken, last)
  }
}

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
