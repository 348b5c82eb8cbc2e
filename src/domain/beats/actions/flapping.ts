import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { StepContext } from '../../kernel/step.ts'
import { nameOf, type Owner, ownedBy } from '../definition/owner.ts'
import { type FlappingRule, flappingInWords, flappingUntil, spanOf } from '../stage/flapping-rules.ts'
import { isIll } from '../stage/stage-rules.ts'
import { type Done, recordDone } from './action-effects.ts'
import { endBanners, FLAPPING, lastBannerIfFlapping, showBanner, showStageBanner } from './banners.ts'
import { policyFor } from './situation.ts'

interface Flapping {
  until: Date
  because: string
  /** `flapping: 9 changes in 10 minutes`. */
  words: string
}

/** Answers whether the owner was flapping at a moment, after the transition with this number. */
export async function flappingOf(ctx: StepContext, owner: Owner, rule: FlappingRule) {
  const changes = await changesOf(ctx, owner, rule.changes)
  return async (at: Date, number: number): Promise<Flapping | null> => {
    const before = changes.filter((change) => change.number <= number).map((change) => change.at)
    const until = flappingUntil(before, at, rule, ctx.minuteMs)
    if (!until) return null
    const words = flappingInWords(await countOf(ctx, owner, rule, at), rule)
    return { until, because: `the ${nameOf(owner)} is ${words}`, words }
  }
}

/** The first known stage is no change. */
const isChange = { from_stage: { $ne: null } }

/** Newest first: the new changes, and as many settled changes as the rule looks at. */
async function changesOf({ tx }: StepContext, owner: Owner, most: number): Promise<BeatTransition[]> {
  const changes = { ...ownedBy(owner), ...isChange }
  const { settled_number: settled } = owner.record
  const orderBy = { number: 'desc' } as const
  return [
    ...(await tx.find(BeatTransition, { ...changes, number: { $gt: settled } }, { orderBy })),
    ...(await tx.find(BeatTransition, { ...changes, number: { $lte: settled } }, { orderBy, limit: most + 1 })),
  ]
}

/** The number of changes in the span of the rule before a moment. */
function countOf({ tx, minuteMs }: StepContext, owner: Owner, rule: FlappingRule, at: Date): Promise<number> {
  const since = new Date(at.getTime() - spanOf(rule, minuteMs))
  return tx.count(BeatTransition, { ...ownedBy(owner), ...isChange, at: { $gt: since, $lte: at } })
}

/** Stores whether the owner is flapping, and shows or ends the banner about that. */
export async function markFlapping(
  ctx: StepContext,
  owner: Owner,
  flapping: Flapping | null,
  shown: boolean,
): Promise<void> {
  const { record } = owner
  if (flapping && record.flapping_since === null) {
    record.flapping_since = ctx.now
    ctx.note('flapping', `${flapping.because}: no actions until ${flapping.until.toISOString()}, or longer`)
  }
  if (flapping && shown) {
    const natural = `${FLAPPING}:${record.flapping_since!.toISOString()}`
    const message = `"${record.name}" is ${flapping.words}. Actions continue when the flapping ends.`
    await showBanner(ctx, owner, { natural, stage: record.current_stage ?? 'healthy', message })
  }
  if (!flapping && record.flapping_since !== null) {
    record.flapping_since = null
    await endBanners(ctx, owner, 'the end of the flapping', 'flapping')
    ctx.note('flapping', `the ${nameOf(owner)} is not flapping any more`)
  }
}

/** The flapping banner replaced the banner of the stage. An owner that is as ill after the flapping shows that again. */
export async function showBannerAfterFlapping(ctx: StepContext, owner: Owner, last: BeatTransition): Promise<void> {
  const { to_stage: stage, evidence } = last
  if (!isIll(stage) || !policyFor(owner, stage).admin_banner) return
  const flapping = await lastBannerIfFlapping(ctx, owner)
  if (!flapping) return
  const done: Done[] = await showStageBanner(ctx, owner, { natural: `after:${flapping.id}`, stage, evidence })
  for (const { message } of done) ctx.note('flapping', `the ${nameOf(owner)} is still ${stage}: ${message}`)
  if (done.length > 0) recordDone(last, done)
}
