import { Beat } from '../../../persistence/entities/beat.ts'
import { lockSubject, type StepContext, type StepResult } from '../../kernel/step.ts'
import { actingGroup, supersede } from '../actions/act.ts'
import { beatAsOwner } from '../actions/load-owner.ts'
import { settle } from '../actions/settle.ts'
import { groupTakesOver } from '../definition/naming-rules.ts'
import type { ThresholdPolicies } from '../definition/thresholds.ts'
import { type NextCall, recordMissedCalls } from '../heartbeats/missed-call.ts'
import { flappingRuleOf } from './flapping-rules.ts'
import { notifyAfterMute } from './stage-notifications.ts'
import { suppressionOf } from './suppression.ts'
import { isMuted, type Suppression } from './suppression-rules.ts'

/** What a beat's process does when it looks: takes a silence for what it is, and settles each change of the stage. */
export async function beatStep(ctx: StepContext): Promise<StepResult> {
  const beat = await lockSubject(ctx, Beat)
  if (!beat) return { done: true, says: 'nothing: the beat was deleted' }
  const silence = await recordMissedCalls(ctx, beat, ctx)
  const { acted_stage } = beat
  const owner = await beatAsOwner(ctx, beat)
  const group = await actingGroup(ctx, owner)
  if (group) await supersede(ctx, owner, groupTakesOver(beat, group))
  const rule = flappingRuleOf(beat.threshold_policies as ThresholdPolicies)
  const hold = await settle(ctx, owner, {
    hold: await suppressionOf(ctx, beat, owner.items),
    rule,
    showsFlapping: true,
  })
  if (hold || beat.acted_stage !== acted_stage) await notifyAfterMute(ctx, beat)
  // Whatever else holds it back, people are told when its mute ends.
  const until = hold?.until ?? (isMuted(beat, ctx.now) ? beat.muted_until! : undefined)
  return waitFor(hold && { ...hold, ...(until && { until }) }, silence)
}

function waitFor(hold: Suppression | null, silence: NextCall | null): StepResult {
  const held = hold?.until
  if (held && !(silence && silence.until < held)) {
    return { done: false, says: `the end of what holds it back: ${hold.because}`, until: held }
  }
  if (silence) return { done: false, ...silence }
  return { done: false, says: hold ? `the end of what holds it back: ${hold.because}` : 'a change of its stage' }
}
