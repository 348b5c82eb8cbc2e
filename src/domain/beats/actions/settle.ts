import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { StepContext } from '../../kernel/step.ts'
import { type FlappingRule, flappingInWords, flappingUntil, spanOf } from '../stage/flapping-rules.ts'
import { isIll, type Stage } from '../stage/stage-rules.ts'
import type { Suppression } from '../stage/suppression-rules.ts'
import { act, bannerOf, policyFor } from './act.ts'
import { tryAgain } from './again.ts'
import { endBanners, FLAPPING, lastIfFlapping, showBanner } from './banners.ts'
import { noteDone } from './execute.ts'
import { type Owner, ownedBy } from './owner.ts'

export interface Bearing {
  /** Why it does not act now, apart from flapping. */
  hold: Suppression | null
  rule: FlappingRule
  /** Whether operators are shown that it flaps: of several who do for one reason, one suffices. */
  showsFlapping: boolean
}

/**
 * Settles each change of stage that is new, in its order: acts on it, or says why not. When nothing holds it back any
 * more it acts on what it sees. Answers what holds it back now.
 */
export async function settle(
  ctx: StepContext,
  owner: Owner,
  { hold, rule, showsFlapping }: Bearing,
): Promise<Suppression | null> {
  const { record } = owner
  const known = await newOf(ctx, owner)
  const changes = await changesOf(ctx, owner, rule.changes)
  const flapping = async (at: Date, number: number) => {
    const until = flappingUntil(upTo(changes, number), at, rule, ctx.minuteMs)
    return until && { until, because: flappingInWords(await countOf(ctx, owner, rule, at), rule) }
  }
  const now = await flapping(ctx.now, record.transition_number)
  const holds = hold ?? now
  await markFlapping(ctx, owner, now, hold === null && showsFlapping)
  for (const transition of known.filter(({ number }) => number > record.settled_number).reverse()) {
    const { number, to_stage } = transition
    const reason = (holds ?? (await flapping(transition.at, number)))?.because
    if (reason) {
      transition.not_acted_because = reason
      ctx.note('transition', `transition ${number} to ${to_stage}: not acted on, ${reason}`)
    } else {
      await act(ctx, owner, transition)
    }
    record.settled_number = number
  }
  const [last] = known
  const stage = record.current_stage
  if (!holds && last && stage && record.acted_stage !== stage) {
    ctx.note('transition', `nothing holds it back any more: it acts on what it sees`)
    await act(ctx, owner, last)
  } else if (!holds && last && stage) {
    await showAfterFlapping(ctx, owner, last, stage as Stage)
    await tryAgain(ctx, owner, stage)
  }
  // It may be that nobody acted on its recovery: what it told was ended by hand, or is told by others by now.
  if (!holds && stage === 'healthy') await endBanners(ctx, owner, 'recovery', 'ill')
  return holds
}

/** Newest first: those that are new, and the last one that is not. */
function newOf({ tx }: StepContext, owner: Owner): Promise<BeatTransition[]> {
  const from = owner.record.settled_number - 1
  return tx.find(BeatTransition, { ...ownedBy(owner), number: { $gt: from } }, { orderBy: { number: 'desc' } })
}

/** The first known stage is no change. */
const changed = { $ne: null }

/** Newest first: the changes that are new, and as many before them as the rule looks at. */
async function changesOf({ tx }: StepContext, owner: Owner, most: number): Promise<BeatTransition[]> {
  const its = { ...ownedBy(owner), from_stage: changed }
  const { settled_number: settled } = owner.record
  const [more, before] = [{ $gt: settled }, { $lte: settled }]
  const orderBy = { number: 'desc' } as const
  return [
    ...(await tx.find(BeatTransition, { ...its, number: more }, { orderBy })),
    ...(await tx.find(BeatTransition, { ...its, number: before }, { orderBy, limit: most + 1 })),
  ]
}

const upTo = (changes: BeatTransition[], last: number) =>
  changes.filter(({ number }) => number <= last).map(({ at }) => at)

/** How many changes there were in the span of the rule up to a moment. */
function countOf({ tx, minuteMs }: StepContext, owner: Owner, rule: FlappingRule, at: Date): Promise<number> {
  const since = new Date(at.getTime() - spanOf(rule, minuteMs))
  return tx.count(BeatTransition, { ...ownedBy(owner), from_stage: changed, at: { $gt: since, $lte: at } })
}

interface Flapping {
  until: Date
  because: string
}

async function markFlapping(ctx: StepContext, owner: Owner, flapping: Flapping | null, shown: boolean): Promise<void> {
  const { record } = owner
  if (flapping && record.flapping_since === null) {
    record.flapping_since = ctx.now
    ctx.note(
      'flapping',
      `${flapping.because}: no actions until ${flapping.until.toISOString()}, or as long as it goes on`,
    )
  }
  if (flapping && shown) {
    const natural = `${FLAPPING}:${record.flapping_since!.toISOString()}`
    const message = `"${record.name}" is ${flapping.because}. It is acted on again when it is calm.`
    await showBanner(ctx, owner, { natural, stage: record.current_stage ?? 'healthy', message })
  }
  if (!flapping && record.flapping_since !== null) {
    record.flapping_since = null
    await endBanners(ctx, owner, 'the end of the flapping', 'flapping')
    ctx.note('flapping', 'it is calm again')
  }
}

/** The banner of its flapping took the place of that of its stage, which goes on: operators are shown it again. */
async function showAfterFlapping(ctx: StepContext, owner: Owner, last: BeatTransition, stage: Stage): Promise<void> {
  if (!isIll(stage) || !policyFor(owner, stage).admin_banner) return
  const banner = await lastIfFlapping(ctx, owner)
  if (!banner) return
  const evidence = last.to_stage === stage ? last.evidence : ''
  const done = await bannerOf(ctx, owner, { natural: `after:${banner.id}`, to_stage: stage, evidence })
  for (const { message } of done) ctx.note('flapping', `it is ${stage} still: ${message}`)
  if (done.length > 0) noteDone(last, done)
}
