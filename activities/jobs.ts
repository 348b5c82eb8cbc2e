import { prune, rollUpBeats } from '../src/domain/beats/results/jobs.ts'
import type { Services } from '../src/domain/kernel/services.ts'
import type { Jobs } from '../workflows/contract.ts'

/** What schedules have done for all pages at once. */
export function createJobs(services: Services): Jobs {
  return {
    rollUpBeats: () => rollUpBeats(services),
    prune: () => prune(services),
  }
}
