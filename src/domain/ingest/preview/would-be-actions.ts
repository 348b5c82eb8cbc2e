import type { EntityManager } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { SafetySettings } from '../../../persistence/entities/trigger-parts.ts'
import { stricterMode } from '../../beats/actions/action-rules.ts'
import { type ActionPolicies, policyStageOf } from '../../beats/definition/policies.ts'
import { type Stage, worstStage } from '../../beats/stage/stage-rules.ts'
import type { Simulated } from './simulate.ts'

interface Owner {
  beat?: { id: number; name: string }
  beat_group?: { id: number; name: string }
}

interface WouldBeAction extends Owner {
  event_id: number
  stage: Stage
  action: 'admin_banner' | 'public_post'
  mode?: 'draft_only' | 'automatic'
}

/** The actions that the policies of beats and groups would take, and whether a post could be published without a review. */
export async function wouldBeActions(
  tx: EntityManager,
  beatIds: number[],
  results: Simulated[],
  safety: SafetySettings,
): Promise<{ actions: WouldBeAction[]; auto_post_risk: boolean }> {
  const beats = new Map((await tx.find(Beat, { id: { $in: beatIds } })).map((beat) => [beat.id, beat]))
  const groupIds = [...beats.values()].flatMap(({ beat_group_id }) => beat_group_id ?? [])
  const groups = new Map((await tx.find(BeatGroup, { id: { $in: groupIds } })).map((group) => [group.id, group]))
  const stages = new Map<number, Stage>()
  const acted = new Map<string, Stage>()
  const actions: WouldBeAction[] = []
  const act = (owner: Owner, policies: ActionPolicies, stage: Stage, event_id: number) => {
    const key = JSON.stringify(owner)
    const before = acted.get(key) ?? 'healthy'
    acted.set(key, stage)
    if (before === stage) return
    const policy = policies[policyStageOf(stage)] ?? {}
    if (policy.admin_banner) actions.push({ ...owner, event_id, stage, action: 'admin_banner' })
    if (!policy.public_post) return
    const mode = stricterMode(policy.public_post_mode, safety.public_post_mode)
    actions.push({ ...owner, event_id, stage, action: 'public_post', mode })
  }
  for (const { transitions, event_id } of results) {
    for (const { beatId, stage } of transitions) {
      const beat = beats.get(beatId)!
      stages.set(beatId, stage)
      const group = beat.beat_group_id === null ? undefined : groups.get(beat.beat_group_id)
      if (!group) {
        act({ beat: nameOf(beat) }, beat.action_policies as ActionPolicies, stage, event_id)
        continue
      }
      const members = [...beats.values()].filter(({ beat_group_id }) => beat_group_id === group.id)
      const worst = worstStage(members.map(({ id }) => stages.get(id) ?? null)) ?? stage
      act({ beat_group: nameOf(group) }, group.action_policies as ActionPolicies, worst, event_id)
    }
  }
  const owners = [...beats.values()].map((beat) =>
    beat.beat_group_id === null ? beat : groups.get(beat.beat_group_id)!,
  )
  return { actions, auto_post_risk: owners.some((owner) => postsAutomatically(owner, safety)) }
}

const nameOf = ({ id, name }: Beat | BeatGroup) => ({ id, name })

const postsAutomatically = ({ action_policies }: Beat | BeatGroup, { public_post_mode }: SafetySettings): boolean =>
  Object.values(action_policies as ActionPolicies).some(
    (policy) => policy?.public_post && stricterMode(policy.public_post_mode, public_post_mode) === 'automatic',
  )
