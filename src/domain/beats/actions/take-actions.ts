import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { StepContext } from '../../kernel/step.ts'
import { nameOf, type Owner, ownedBy } from '../definition/owner.ts'
import { lockOpenIncident } from '../incidents/incident-lookup.ts'
import type { FlappingRule } from '../stage/flapping-rules.ts'
import type { Suppression } from '../stage/suppression-rules.ts'
import { draftOf } from './action-draft.ts'
import { type Done, recordDone } from './action-effects.ts'
import { recordAction, supersedeActions } from './action-records.ts'
import { decideActions, waitingFor } from './action-rules.ts'
import { endBanners, showStageBanner } from './banners.ts'
import { flappingOf, markFlapping, showBannerAfterFlapping } from './flapping.ts'
import { retryFailedAction } from './retry-failed-action.ts'
import { readSituation } from './situation.ts'

interface Options {
  /** Why the owner takes no action now, apart from flapping. */
  suppression: Suppression | null
  rule: FlappingRule
  /** Whether operators see a banner about flapping: a group whose member is flapping leaves the banner to the member. */
  showsFlapping: boolean
}

/**
 * The part of a step that beats and groups share: decides the actions of each new transition, in order, and of the stage
 * after a suppression. Answers what suppresses the owner now.
 */
export async function takeActions(
  ctx: StepContext,
  owner: Owner,
  { suppression, rule, showsFlapping }: Options,
): Promise<Suppression | null> {
  const { record } = owner
  const transitions = await transitionsFrom(ctx, owner, record.settled_number)
  const flappingAt = await flappingOf(ctx, owner, rule)
  const flapping = await flappingAt(ctx.now, record.transition_number)
  const suppressed = suppression ?? flapping
  await markFlapping(ctx, owner, flapping, suppression === null && showsFlapping)
  for (const transition of transitions.filter(({ number }) => number > record.settled_number)) {
    const then = suppressed ?? (await flappingAt(transition.at, transition.number))
    await actOn(ctx, owner, transition, then?.because ?? null)
    record.settled_number = transition.number
  }
  const last = transitions.at(-1)
  if (!last || record.current_stage === null) return suppressed
  const isWaiting = record.acted_stage !== record.current_stage
  if (suppressed) {
    if (isWaiting) waitFurther(ctx, last, suppressed)
    return suppressed
  }
  if (isWaiting) {
    ctx.note('transition', `the suppression of the ${nameOf(owner)} has ended: actions follow from ${last.to_stage}`)
    await actOn(ctx, owner, last, null)
  } else {
    await showBannerAfterFlapping(ctx, owner, last)
    await retryFailedAction(ctx, owner, last)
  }
  return null
}

/** The last settled transition and those after it, in order. */
const transitionsFrom = ({ tx }: StepContext, owner: Owner, number: number): Promise<BeatTransition[]> =>
  tx.find(BeatTransition, { ...ownedBy(owner), number: { $gte: number } }, { orderBy: { number: 'asc' } })

/** The transition waits for another reason since it was looked at, for example after a mute during a maintenance. */
function waitFurther(ctx: StepContext, transition: BeatTransition, { because }: Suppression): void {
  const { number, to_stage } = transition
  const reason = waitingFor(because)
  if (transition.not_acted_because === reason) return
  transition.not_acted_because = reason
  ctx.note('transition', `transition ${number} to ${to_stage}: ${reason}`)
}

/** Decides the actions of a transition once, and records them. `acted_stage` of the owner then is that stage. */
async function actOn(
  ctx: StepContext,
  owner: Owner,
  transition: BeatTransition,
  suppressed: string | null,
): Promise<void> {
  const { record } = owner
  const { number, to_stage: stage, evidence } = transition
  const note = (message: string) => ctx.note('transition', `transition ${number} to ${stage}: ${message}`)
  const facts = await readSituation(ctx, owner, transition, { suppressed })
  const decision = decideActions(facts)
  if (evidence.trim()) note(evidence.trim())
  if (decision.does !== 'act') {
    transition.not_acted_because = decision.reason
    note(decision.reason)
    if (decision.does === 'nothing') record.acted_stage = stage
    return
  }
  await supersedeActions(ctx, owner, `The ${nameOf(owner)} is ${stage} now.`)
  if (stage === 'healthy') await endBanners(ctx, owner, 'recovery')
  const done: Done[] = []
  if (decision.banner) {
    done.push(...(await showStageBanner(ctx, owner, { natural: `transition:${number}`, stage, evidence })))
  }
  const { post } = decision
  if (post && (await ctx.tx.count(BeatAction, { transition_id: transition.id })) === 0) {
    const draft = await draftOf(ctx, owner, transition, facts, post.kind)
    done.push(...(await recordAction(ctx, owner, transition, post.mode, draft)))
  }
  for (const { message } of done) note(message)
  if (decision.reason) note(decision.reason)
  if (done.length > 0) record.last_action_created_at = ctx.now
  recordDone(transition, done, decision.reason)
  if (stage === 'healthy' && !(await lockOpenIncident(ctx.tx, record.current_incident_id))) {
    record.current_incident_id = null
  }
  record.acted_stage = stage
  await ctx.tx.flush()
  ctx.reached('turn taken')
}
