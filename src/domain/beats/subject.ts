import { Beat } from '../../persistence/entities/beat.ts'
import { workflowIdOf } from '../kernel/processes.ts'
import { recordSubject } from '../kernel/subject.ts'

export const beatProcess = (beat: { id: number }) => workflowIdOf('beat', beat.id)
export const groupProcess = (groupId: number) => workflowIdOf('beat-group', groupId)

/** What of a beat a client sees and an audit row compares: what only its checks and its process keep is left out. */
const kept = [
  'create_hash',
  'config_version',
  'transition_number',
  'settled_number',
  'acted_stage',
  'current_stage',
  'unknown_since',
  'unknown_because',
  'flapping_since',
  'last_evidence_summary',
  'last_state_changed_at',
  'last_transition_from_stage',
  'last_transition_to_stage',
  'last_action_created_at',
  'current_incident_id',
] as const

function snapshotBeat(beat: Beat): Record<string, unknown> {
  const { ...seen } = beat as unknown as Record<string, unknown>
  for (const name of kept) delete seen[name]
  return seen
}

export const beatSubject = recordSubject('beat', Beat, snapshotBeat, { external: true })
