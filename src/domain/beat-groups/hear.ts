import { Beat } from '../../persistence/entities/beat.ts'
import { BeatGroup } from '../../persistence/entities/beat-group.ts'
import { heldBack, itemsOf } from '../beats/holds.ts'
import type { Hold } from '../beats/holds-rules.ts'
import { groupName } from '../beats/naming-rules.ts'
import type { ActionPolicies } from '../beats/policies.ts'
import { isIll, type Stage } from '../beats/stage-rules.ts'
import type { Scene } from '../kernel/scene.ts'
import { tellsByItself } from './own-incident.ts'
import { hear, type Member, postsOf } from './told-rules.ts'

export const membersOf = ({ tx }: Pick<Scene, 'tx'>, { id }: BeatGroup): Promise<Beat[]> =>
  tx.find(Beat, { beat_group_id: id }, { orderBy: { id: 'asc' } })

/** The members with what they stand for, and with why nothing is said of them: asked of those of whom there is something to say. */
export async function listen(scene: Scene, group: BeatGroup, beats: Beat[]): Promise<Member[]> {
  const { told } = group
  const members: Member[] = []
  for (const beat of beats) {
    const { id, name } = beat
    const stage = beat.current_stage as Stage | null
    if (isIll(stage) || told.some(({ beat_id }) => beat_id === id)) {
      const items = await itemsOf(scene, 'beat', [id])
      const hold =
        (await notLetGo(scene, beat)) ?? (await heldBack(scene, beat, items)) ?? (await byItself(scene, group, beat))
      members.push({ id, name, stage, items, hold })
    } else {
      members.push({ id, name, stage: beat.enabled ? stage : null, items: [], hold: null })
    }
  }
  return members
}

async function notLetGo({ tx }: Scene, { left_group_id: left, beat_group_id }: Beat): Promise<Hold | null> {
  if (left === null || left === beat_group_id) return null
  const group = await tx.findOne(BeatGroup, { id: left })
  return { because: `the ${group ? groupName(group) : `group ${left}`}, which it left, still acts for it` }
}

/** One fault is told of once: what a member goes on telling in its own incident, its group does not tell beside it. */
async function byItself(scene: Scene, group: BeatGroup, beat: Beat): Promise<Hold | null> {
  const { current_stage: stage, current_incident_id: incident } = beat
  if (!isIll(stage) || !postsOf(group.action_policies as ActionPolicies, stage)) return null
  if (!(await tellsByItself(scene, beat, stage, group))) return null
  return { because: `it has an open incident of its own (${incident})` }
}

/** The stage that a group tells by now, whatever its process has come to. */
export async function stageTold(scene: Scene, group: BeatGroup): Promise<Stage | null> {
  const members = await listen(scene, group, await membersOf(scene, group))
  const here = group.told.filter(({ beat_id, gone }) => gone || members.some(({ id }) => id === beat_id))
  return hear(members, here).stage
}
