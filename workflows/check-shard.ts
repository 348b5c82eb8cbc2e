import { defineQuery, defineSignal, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow'
import {
  type Checks,
  type Chores,
  checksControlQueue,
  checksQueue,
  type ShardRef,
  stateQuery,
  wakeSignal,
} from './contract.ts'
import { continueAsNewOn, isOld } from './reconcile.ts'
import { isUnserved } from './unserved.ts'

const { regionUnserved } = proxyActivities<Chores>({ startToCloseTimeout: '60s' })

/** How long a lease waits for a worker of the region before the beats are marked as unchecked. */
const PATIENCE_MS = 30_000

/** Keeps a shard under lease. Each lease is an attempt of one activity, so leases add no events to the history. */
export async function checkShard(ref: ShardRef): Promise<void> {
  const { region, shard } = ref
  const started = Date.now()
  let woken = true
  let says = ''
  const describe = (words: string) => {
    says = words
    setCurrentDetails(`Shard ${shard} of the region ${region}: ${words}`)
  }
  const wake = () => {
    woken = true
  }
  setHandler(defineSignal(wakeSignal), wake, { description: 'The shard has new beats' })
  setHandler(defineQuery(stateQuery), () => ({ done: false, says }), {
    description: 'What the workflow does at present',
  })

  let served = true
  let patience = PATIENCE_MS
  for (;;) {
    woken = false
    describe(served ? 'a worker checks the beats under a lease' : `no worker in region ${region}`)
    const end = await leaseOf(ref, patience, !served)
    served = end !== 'unserved'
    // Meanwhile the task of the next lease waits in the queue for the first worker.
    patience = served ? PATIENCE_MS : await regionUnserved(ref)
    if (woken) continue
    if (end === 'empty') return
    if (isOld(started)) await continueAsNewOn<typeof checkShard>(checksControlQueue)(ref)
  }
}

type End = 'empty' | 'over' | 'unserved'

async function leaseOf(ref: ShardRef, scheduleToStartTimeout: number, brief: boolean): Promise<End> {
  const { lease } = proxyActivities<Checks>({
    taskQueue: checksQueue(ref.region),
    scheduleToStartTimeout,
    startToCloseTimeout: '10m',
    heartbeatTimeout: '10s',
    // A lease that ends sets the delay of the next attempt itself; this policy is for a worker that died.
    retry: { initialInterval: '100ms', backoffCoefficient: 1, maximumInterval: '100ms' },
  })
  try {
    const { empty } = await lease(ref, brief)
    return empty ? 'empty' : 'over'
  } catch (error) {
    if (isUnserved(error)) return 'unserved'
    throw error
  }
}
