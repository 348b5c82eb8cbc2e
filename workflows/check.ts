import { log, proxyActivities, rootCause } from '@temporalio/workflow'
import { type Checks, type Chores, checksQueue, type ProcessRef } from './contract.ts'
import { reconcile } from './reconcile.ts'
import { isUnserved } from './unserved.ts'

const { giveUpCheck } = proxyActivities<Chores>({ startToCloseTimeout: '30s' })

/** A check that somebody asked for: run by a worker of the region, and answered even if there is none. */
export async function check(ref: ProcessRef): Promise<void> {
  await reconcile('check', ref, async (region) => {
    const { runCheck } = proxyActivities<Checks>({
      taskQueue: checksQueue(region),
      scheduleToStartTimeout: '10s',
      startToCloseTimeout: '75s',
      retry: { maximumAttempts: 3, initialInterval: '200ms' },
    })
    try {
      await runCheck(ref)
    } catch (error) {
      log.warn('a check that was asked for could not be run', { region, because: rootCause(error) })
      const because = isUnserved(error)
        ? `no worker in the region ${region} has run it`
        : `the region ${region} could not finish it: its log says why`
      await giveUpCheck({ ...ref, because })
    }
  })
}
