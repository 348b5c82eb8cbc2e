import type { Services } from '../src/domain/kernel/services.ts'
import { takeStep } from '../src/domain/kernel/step.ts'
import { steps } from '../src/domain/steps.ts'
import type { StepInput, StepOutput, Steps } from '../workflows/contract.ts'

/** One activity serves every kind of process. The domain has a `step` for each kind. */
export function createSteps(services: Services): Steps {
  return {
    async step({ kind, page_id, id, now }: StepInput): Promise<StepOutput> {
      const result = await takeStep(services, steps[kind], { kind, pageId: page_id, id, now: new Date(now) })
      const { done, says, until, errand } = result
      return { done, says, ...(until && { until: until.getTime() }), ...(errand !== undefined && { errand }) }
    },
  }
}
