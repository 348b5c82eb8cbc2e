import type { Services } from '../src/domain/kernel/services.ts'
import { createChores } from './chores.ts'
import { createJobs } from './jobs.ts'
import { createSteps } from './steps.ts'

export function createActivities(services: Services) {
  return { ...createSteps(services), ...createChores(services), ...createJobs(services) }
}
