import { proxyActivities } from '@temporalio/workflow'
import type { Jobs } from './contract.ts'

const { prune } = proxyActivities<Jobs>({ startToCloseTimeout: '30 minutes', retry: { maximumAttempts: 3 } })

/** Runs each hour by a schedule: deletes records after their retention time. The next run makes up for a missed run. */
export async function retention(): Promise<void> {
  await prune()
}
