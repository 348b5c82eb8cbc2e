import { Beat } from '../../../persistence/entities/beat.ts'
import { lockSubject, type StepContext, type StepResult } from '../../kernel/step.ts'
import { supersedeActions } from '../actions/action-records.ts'
import { beatAsOwner } from '../actions/load-owner.ts'
import { actingGroup } from '../actions/situation.ts'
import { takeActions } from '../actions/take-actions.ts'
import { groupTakesOver } from '../definition/naming-rules.ts'
import type { ThresholdPolicies } from '../definition/thresholds.ts'
import { type NextCall, recordMissedCalls } from '../heartbeats/missed-call.ts'
import { flappingRuleOf } from '../stage/flapping-rules.ts'
import { notifyAfterMute } from '../stage/stage-notifications.ts'
import { suppressionOf } from '../stage/suppression.ts'
import { isMuted, type Suppression } from '../stage/suppression-rules.ts'

/** The step of a beat's process: records missed calls, and acts on each transition. */
export async function beatStep(ctx: StepContext): Promise<StepResult> {
  const beat = await lockSubject(ctx, Beat)
  if (!beat) return { done: true, says: 'nothing: the beat was deleted' }
  const missed = await recordMissedCalls(ctx, beat, ctx)
  const { acted_stage } = beat
  const owner = await beatAsOwner(ctx, beat)
  const group = await actingGroup(ctx, owner)
  if (group) await supersedeActions(ctx, owner, groupTakesOver(beat, group))
  const rule = flappingRuleOf(beat.threshold_policies as ThresholdPolicies)
  const suppression = await suppressionOf(ctx, beat, owner.items)
  const suppressed = await takeActions(ctx, owner, { suppression, rule, showsFlapping: true })
  if (suppressed || beat.acted_stage !== acted_stage) await notifyAfterMute(ctx, beat)
  // The end of a mute sends a notification, whatever else suppresses the beat.
  const until = suppressed?.until ?? (isMuted(beat, ctx.now) ? beat.muted_until! : undefined)
  return waitFor(suppressed && { ...suppressed, ...(until && { until }) }, missed)
}

function waitFor(suppressed: Suppression | null, nextCall: NextCall | null): StepResult {
  const says = suppressed ? `the end of the suppression: ${suppressed.because}` : 'a change of its stage'
  const until = suppressed?.until
  if (until && !(nextCall && nextCall.until < until)) return { done: false, says, until }
  if (!nextCall) return { done: false, says }
  return { done: false, until: nextCall.until, says: suppressed ? `${nextCall.says}; ${says}` : nextCall.says }
}
