import type { ProcessKind } from '../../workflows/processes.ts'
import { checkStep } from './beats/checks/step.ts'
import { beatStep } from './beats/steps/beat-step.ts'
import { beatGroupStep } from './beats/steps/group-step.ts'
import { digestStep } from './deliveries/digest-step.ts'
import { notificationStep } from './deliveries/notification-step.ts'
import { itemStep } from './hierarchy/step.ts'
import { incidentStep } from './incidents/step.ts'
import { ingestTokenStep } from './ingest/endpoints/token-step.ts'
import { inboxStep } from './ingest/inbox/inbox-step.ts'
import { type Step, workingStep } from './kernel/step.ts'
import { maintenanceStep } from './maintenances/step.ts'
import { seriesStep } from './series/step.ts'

/** The step of each kind of process. */
export const steps: Record<ProcessKind, Step> = {
  incident: incidentStep,
  item: itemStep,
  maintenance: maintenanceStep,
  series: seriesStep,
  beat: beatStep,
  'beat-group': beatGroupStep,
  check: checkStep,
  inbox: inboxStep,
  'ingest-token': ingestTokenStep,
  delegation: agentStep('delegation'),
  plan: agentStep('plan'),
  notification: notificationStep,
  digest: digestStep,
}

/** A step of the agent, which may run any operation. All that takes 20 MB, which a worker loads for the first of these steps. */
function agentStep(kind: 'delegation' | 'plan'): Step {
  const load = async () => (await import('./agent/steps.ts')).agentSteps[kind]
  return workingStep({
    affectsPage: false,
    async work(services, process) {
      const [step] = await Promise.all([load(), services.operations.load()])
      return step.work?.(services, process)
    },
    step: async (ctx, done) => (await load())(ctx, done),
  })
}
