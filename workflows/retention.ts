import { proxyActivities } from '@temporalio/workflow'
import type { Jobs } from './contract.ts'

const { prune } = proxyActivities<Jobs>({ startToCloseTimeout: '30 minutes', retry: { maximumAttempts: 3 } })

/** Each hour, by its schedule: deletes what is kept no longer. What it missed, the next deletes. */
export async function retention(): Promise<void> {
  await prune()
}
