import type { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { incidentName } from '../definition/naming-rules.ts'
import { nameOf } from '../definition/owner.ts'
import { lockOpenIncident } from './incident-lookup.ts'

/** The owner is deleted: its open incident stays open, and its history names the reason. Answers the same for the client. */
export async function leaveIncidentOpen(work: WorkContext, owner: Beat | BeatGroup): Promise<string> {
  const incident = await lockOpenIncident(work.tx, owner.current_incident_id)
  if (!incident) return ''
  work.wake(
    { kind: 'incident', id: incident.id },
    `the deletion of the ${nameOf({ record: owner })}, which owned the incident: a person resolves it`,
  )
  return ` The ${incidentName(incident)} stays open for a person to resolve.`
}
