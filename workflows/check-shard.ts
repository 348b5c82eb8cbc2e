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

/** How long nobody of a region takes a lease until that is said. */
const PATIENCE_MS = 30_000

/** The beats of a shard, checked under one lease after the other: each is an attempt, so that none leaves an event. */
export async function checkShard(ref: ShardRef): Promise<void> {
  const { region, shard } = ref
  const started = Date.now()
  let woken = true
  let says = ''
  const say = (words: string) => {
    says = words
    setCurrentDetails(`Shard ${shard} of the region ${region}: ${words}`)
  }
  const wake = () => {
    woken = true
  }
  setHandler(defineSignal(wakeSignal), wake, { description: 'There are beats: look' })
  setHandler(defineQuery(stateQuery), () => ({ done: false, says }), { description: 'What it does' })

  let served = true
  let patience = PATIENCE_MS
  for (;;) {
    woken = false
    say(served ? 'its beats are checked under a lease' : `no worker in region ${region}`)
    const end = await leaseOf(ref, patience, !served)
    served = end !== 'unserved'
    // The task of the next lease lies there meanwhile, for the first worker that comes.
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
    // A lease that ends, however, says when the next begins; this is for one whose worker is gone.
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
