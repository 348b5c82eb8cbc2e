import { continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow'

export interface PlainActivities {
  checkOnce(beatId: number): Promise<void>
}

const { checkOnce } = proxyActivities<PlainActivities>({ startToCloseTimeout: '10s' })

/** A timer, then an activity, and so on: how one would write it who knows nothing of leases. */
export async function plainBeat(beatId: number, intervalMs: number): Promise<void> {
  while (!workflowInfo().continueAsNewSuggested) {
    await sleep(intervalMs - ((Date.now() - beatId * 7919) % intervalMs))
    await checkOnce(beatId)
  }
  await continueAsNew<typeof plainBeat>(beatId, intervalMs)
}
