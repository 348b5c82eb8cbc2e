import { rollUpBeats } from '../src/domain/beats/results/jobs.ts'
import type { Services } from '../src/domain/kernel/services.ts'
import { prune } from '../src/domain/retention.ts'
import type { Jobs } from '../workflows/contract.ts'

/** The activities of schedules, each for all pages. */
export function createJobs(services: Services): Jobs {
  return {
    rollUpBeats: () => rollUpBeats(services),
    prune: () => prune(services),
  }
}
