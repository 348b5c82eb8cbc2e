import type { ProcessKind } from '../../workflows/processes.ts'
import { planStep } from './agent/plans/step.ts'
import { turnStep } from './agent/turns/step.ts'
import { checkStep } from './beats/checks/step.ts'
import { beatStep } from './beats/steps/beat-step.ts'
import { beatGroupStep } from './beats/steps/group-step.ts'
import { digestStep } from './deliveries/digest-step.ts'
import { notificationStep } from './deliveries/notification-step.ts'
import { itemStep } from './hierarchy/step.ts'
import { incidentStep } from './incidents/step.ts'
import { ingestTokenStep } from './ingest/endpoints/token-step.ts'
import { inboxStep } from './ingest/inbox/inbox-step.ts'
import type { Step } from './kernel/step.ts'
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
  delegation: turnStep,
  plan: planStep,
  notification: notificationStep,
  digest: digestStep,
}
