import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { lockSubject, type StepContext, type StepResult } from '../../kernel/step.ts'
import type { Owner } from '../actions/owner.ts'
import { settle } from '../actions/settle.ts'
import { beatName } from '../definition/naming-rules.ts'
import { groupProcess } from '../definition/subject.ts'
import type { ThresholdPolicies } from '../definition/thresholds.ts'
import { type NextCall, recordMissedCalls } from '../heartbeats/missed-call.ts'
import { flappingRuleOf } from './flapping-rules.ts'
import { notifyAfterMute } from './stage-notifications.ts'
import { itemsOf, suppressionOf } from './suppression.ts'
import { isMuted, type Suppression } from './suppression-rules.ts'

/** What a beat's process does when it looks: takes a silence for what it is, and settles each change of the stage. */
export async function beatStep(ctx: StepContext): Promise<StepResult> {
  const beat = await lockSubject(ctx, Beat)
  if (!beat) return { done: true, says: 'nothing: the beat was deleted' }
  const silence = await recordMissedCalls(ctx, beat, ctx)
  if (await isTiedTo(ctx, beat)) {
    const says = `the group ${beat.left_group_id}, which it left, to let it go`
    return { done: false, says, ...(silence ? { until: silence.until } : {}) }
  }
  const { acted_stage } = beat
  const items = await itemsOf(ctx, 'beat', [beat.id])
  const owner: Owner = { kind: 'beat', record: beat, items, voice: beat, speaker: { kind: 'beat', record: beat } }
  const rule = flappingRuleOf(beat.threshold_policies as ThresholdPolicies)
  const hold = await settle(ctx, owner, { hold: await suppressionOf(ctx, beat, items), rule, showsFlapping: true })
  if (hold || beat.acted_stage !== acted_stage) await notifyAfterMute(ctx, beat)
  // Its group may have waited for that.
  if (beat.beat_group_id !== null && beat.acted_stage !== acted_stage) {
    ctx.wake(groupProcess(beat.beat_group_id), `the ${beatName(beat)}, which acts as ${beat.acted_stage}`)
  }
  // Whatever else holds it back, people are told when its mute ends.
  const until = hold?.until ?? (isMuted(beat, ctx.now) ? beat.muted_until! : undefined)
  return waitFor(hold && { ...hold, ...(until && { until }) }, silence)
}

/** What the group tells of it may become its own: who tells of it is settled before it acts by itself. */
async function isTiedTo({ tx }: StepContext, beat: Beat): Promise<boolean> {
  if (beat.left_group_id === null || beat.left_group_id === beat.beat_group_id) return false
  if ((await tx.count(BeatGroup, { id: beat.left_group_id })) > 0) return true
  beat.left_group_id = null
  return false
}

function waitFor(hold: Suppression | null, silence: NextCall | null): StepResult {
  const held = hold?.until
  if (held && !(silence && silence.until < held)) {
    return { done: false, says: `the end of what holds it back: ${hold.because}`, until: held }
  }
  if (silence) return { done: false, ...silence }
  return { done: false, says: hold ? `the end of what holds it back: ${hold.because}` : 'a change of its stage' }
}
