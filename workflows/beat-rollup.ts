import { proxyActivities } from '@temporalio/workflow'
import type { Jobs } from './contract.ts'

const { rollUpBeats } = proxyActivities<Jobs>({ startToCloseTimeout: '5 minutes', retry: { maximumAttempts: 3 } })

/** Runs each minute by a schedule: counts results into minutes and hours. The next run makes up for a missed run. */
export async function beatRollup(): Promise<void> {
  await rollUpBeats()
}
