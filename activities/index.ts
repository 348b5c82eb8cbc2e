import type { Services } from '../src/domain/kernel/services.ts'
import { createSteps } from './steps.ts'

export function createActivities(services: Services) {
  return { ...createSteps(services) }
}
