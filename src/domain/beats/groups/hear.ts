import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { groupName } from '../definition/naming-rules.ts'
import type { ActionPolicies } from '../definition/policies.ts'
import { isIll, type Stage } from '../stage/stage-rules.ts'
import { itemsOf, suppressionOf } from '../stage/suppression.ts'
import type { Suppression } from '../stage/suppression-rules.ts'
import { tellsByItself } from './own-incident.ts'
import { hear, type Member, postsOf } from './told-rules.ts'

export const membersOf = ({ tx }: Pick<WorkContext, 'tx'>, { id }: BeatGroup): Promise<Beat[]> =>
  tx.find(Beat, { beat_group_id: id }, { orderBy: { id: 'asc' } })

/** The members with what they stand for, and with why nothing is said of them: asked of those of whom there is something to say. */
export async function listen(work: WorkContext, group: BeatGroup, beats: Beat[]): Promise<Member[]> {
  const { told } = group
  const members: Member[] = []
  for (const beat of beats) {
    const { id, name } = beat
    const stage = beat.current_stage as Stage | null
    if (isIll(stage) || told.some(({ beat_id }) => beat_id === id)) {
      const items = await itemsOf(work, 'beat', [id])
      const hold =
        (await notLetGo(work, beat)) ?? (await suppressionOf(work, beat, items)) ?? (await byItself(work, group, beat))
      members.push({ id, name, stage, items, hold })
    } else {
      members.push({ id, name, stage: beat.enabled ? stage : null, items: [], hold: null })
    }
  }
  return members
}

async function notLetGo(
  { tx }: WorkContext,
  { left_group_id: left, beat_group_id }: Beat,
): Promise<Suppression | null> {
  if (left === null || left === beat_group_id) return null
  const group = await tx.findOne(BeatGroup, { id: left })
  return { because: `the ${group ? groupName(group) : `group ${left}`}, which it left, still acts for it` }
}

/** One fault is told of once: what a member goes on telling in its own incident, its group does not tell beside it. */
async function byItself(work: WorkContext, group: BeatGroup, beat: Beat): Promise<Suppression | null> {
  const { current_stage: stage, current_incident_id: incident } = beat
  if (!isIll(stage) || !postsOf(group.action_policies as ActionPolicies, stage)) return null
  if (!(await tellsByItself(work, beat, stage, group))) return null
  return { because: `it has an open incident of its own (${incident})` }
}

/** The stage that a group tells by now, whatever its process has come to. */
export async function stageTold(work: WorkContext, group: BeatGroup): Promise<Stage | null> {
  const members = await listen(work, group, await membersOf(work, group))
  const here = group.told.filter(({ beat_id, gone }) => gone || members.some(({ id }) => id === beat_id))
  return hear(members, here).stage
}
