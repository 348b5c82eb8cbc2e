import type { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { impactedItems } from '../../incidents/open-incident.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import type { Owner } from '../definition/owner.ts'
import { affectedItems } from './incident-items.ts'
import { membersOf, worstMember } from './member-stages.ts'

/** A group as the owner of actions; null while no enabled member has a stage. */
export async function groupAsOwner(
  work: Pick<WorkContext, 'tx'>,
  group: BeatGroup,
  known?: Beat[],
): Promise<Owner | null> {
  const { current_stage: stage } = group
  const members = known ?? (await membersOf(work, group))
  const worst = stage && worstMember(members, stage)
  if (!worst) return null
  const affected = await affectedItems(work, group, members)
  // A recovery names the items that the incident affected until then.
  const recovered = stage === 'healthy' ? await impactedItems(work, group.current_incident_id) : []
  const own = { kind: 'beat_group' as const, record: group }
  const messageSource = group.message_source_mode === 'member' ? { kind: 'beat' as const, record: worst } : own
  return { ...own, items: [...new Set([...affected, ...recovered])], worstBeat: worst, messageSource }
}
