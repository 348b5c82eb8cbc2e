import { proxyActivities } from '@temporalio/workflow'
import type { Jobs } from './contract.ts'

const { rollUpBeats } = proxyActivities<Jobs>({ startToCloseTimeout: '5 minutes', retry: { maximumAttempts: 3 } })

/** Each minute, by its schedule: makes minutes and hours of what checks have seen. What it missed, the next makes. */
export async function beatRollup(): Promise<void> {
  await rollUpBeats()
}
