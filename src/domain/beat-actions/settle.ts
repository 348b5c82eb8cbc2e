import { BeatTransition } from '../../persistence/entities/beat-transition.ts'
import { type FlappingRule, flappingInWords, flapsUntil, spanOf } from '../beats/flapping-rules.ts'
import type { Hold } from '../beats/holds-rules.ts'
import type { Stage } from '../beats/stage-rules.ts'
import type { StepContext } from '../kernel/step.ts'
import { act } from './act.ts'
import { tryAgain } from './again.ts'
import { toActOn } from './anew.ts'
import { endBanners, showBanner } from './banners.ts'
import { type Owner, ownedBy } from './owner.ts'

export interface Bearing {
  /** Why it does not act now, apart from flapping. */
  hold: Hold | null
  rule: FlappingRule
  /** Whether operators are shown that it flaps: of several who do for one reason, one suffices. */
  showsFlapping: boolean
  /** Of a group, which may tell another stage than the one that it is in. */
  telling?: Telling
}

interface Telling {
  /** null: nothing at present. */
  stage: Stage | null
  /** Why a change is not told. */
  silence(transition: BeatTransition): string | null
}

/**
 * Settles each change of stage that is new, in its order: acts on it, or says why not. When nothing holds it back any
 * more it acts on what it sees. Answers what holds it back now.
 */
export async function settle(
  ctx: StepContext,
  owner: Owner,
  { hold, rule, showsFlapping, telling }: Bearing,
): Promise<Hold | null> {
  const { record } = owner
  const known = await lastOf(ctx, owner, rule.changes)
  const flapping = async (at: Date, number: number) => {
    const until = flapsUntil(changesOf(known, number), at, rule, ctx.minuteMs)
    return until && { until, because: flappingInWords(await countOf(ctx, owner, rule, at), rule) }
  }
  const now = await flapping(ctx.now, record.transition_number)
  const holds = hold ?? now
  await markFlapping(ctx, owner, now, hold === null && showsFlapping)
  for (const transition of known.filter(({ number }) => number > record.settled_number).reverse()) {
    const { number, to_stage } = transition
    const reason = (holds ?? (await flapping(transition.at, number)))?.because ?? telling?.silence(transition)
    if (reason) {
      transition.not_acted_because = reason
      ctx.note('transition', `transition ${number} to ${to_stage}: not acted on, ${reason}`)
    } else {
      await act(ctx, owner, transition)
    }
    record.settled_number = number
  }
  const [last] = known
  const stage = telling ? telling.stage : last?.to_stage
  if (!holds && last && stage && record.acted_stage !== stage) {
    ctx.note('transition', `nothing holds it back any more: it acts on what it sees`)
    await act(ctx, owner, await toActOn(ctx, owner, last, stage))
  } else if (!holds && stage) {
    await tryAgain(ctx, owner, stage)
  }
  return holds
}

/** Newest first: those that are new, and as many before them as the rule looks at. */
function lastOf({ tx }: StepContext, owner: Owner, most: number): Promise<BeatTransition[]> {
  const from = owner.record.settled_number - most
  return tx.find(BeatTransition, { ...ownedBy(owner), number: { $gt: from - 1 } }, { orderBy: { number: 'desc' } })
}

/** How many changes there were in the span of the rule up to a moment. */
function countOf({ tx, minuteMs }: StepContext, owner: Owner, rule: FlappingRule, at: Date): Promise<number> {
  const since = new Date(at.getTime() - spanOf(rule, minuteMs))
  return tx.count(BeatTransition, { ...ownedBy(owner), from_stage: { $ne: null }, at: { $gt: since, $lte: at } })
}

interface Flapping {
  until: Date
  because: string
}

/** The first stage that is known is no change. */
const changesOf = (known: BeatTransition[], until: number) =>
  known.filter(({ number, from_stage }) => number <= until && from_stage !== null).map(({ at }) => at)

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
    const natural = `flapping:${record.flapping_since!.toISOString()}`
    const message = `"${record.name}" is ${flapping.because}. It is acted on again when it is calm.`
    await showBanner(ctx, owner, { natural, stage: record.current_stage ?? 'healthy', message })
  }
  if (!flapping && record.flapping_since !== null) {
    record.flapping_since = null
    await endBanners(ctx, owner, 'the end of the flapping', 'flapping')
    ctx.note('flapping', 'it is calm again')
  }
}
