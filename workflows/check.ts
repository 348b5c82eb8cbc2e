import { log, proxyActivities, rootCause } from '@temporalio/workflow'
import { type Checks, type Chores, checksQueue, type SubjectOfPage } from './contract.ts'
import { reconcile } from './reconcile.ts'
import { isUnserved } from './unserved.ts'

const { giveUpCheck } = proxyActivities<Chores>({ startToCloseTimeout: '30s' })

/** A requested check: a worker of the region runs the check; without such a worker the answer names the problem. */
export async function check(ref: SubjectOfPage): Promise<void> {
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
      log.warn('a requested check could not be run', { region, because: rootCause(error) })
      const because = isUnserved(error)
        ? `no worker in region ${region} started the check within 10 s`
        : `the worker in region ${region} could not finish the check; the log of the worker has the details`
      await giveUpCheck({ ...ref, because })
    }
  })
}
