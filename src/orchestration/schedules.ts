import { ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client'
import { coreQueue, jobs } from '../../workflows/contract.ts'
import type { Temporal } from './client.ts'

/** Creates the missing schedules of the jobs, and updates the existing schedules. */
export async function keepSchedules({ client }: Temporal): Promise<void> {
  for (const [scheduleId, { workflow, every }] of Object.entries(jobs)) {
    const schedule = {
      spec: { intervals: [{ every }] },
      action: { type: 'startWorkflow', workflowType: workflow, workflowId: scheduleId, args: [], taskQueue: coreQueue },
      // A job finds all work that is due, so a missed run is not made up.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    } satisfies Omit<ScheduleOptions, 'scheduleId'>
    try {
      await client.schedule.create({ scheduleId, ...schedule })
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error
      await client.schedule.getHandle(scheduleId).update((known) => ({ ...known, ...schedule }))
    }
  }
}
