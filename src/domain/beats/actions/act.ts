import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { Incident } from '../../../persistence/entities/incident.ts'
import type { StepContext } from '../../kernel/step.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { addNotification } from '../../notifications/announce.ts'
import { groupName } from '../definition/naming-rules.ts'
import { type ActionPolicies, type ActionPolicy, policyStageOf } from '../definition/policies.ts'
import { NOTHING_AFFECTED } from './affected.ts'
import { bannerWords, endBanners, showBanner } from './banners.ts'
import { type Draft, draftOf } from './draft.ts'
import { type Done, doneBy, execute, noteDone } from './execute.ts'
import { lockOpenIncident } from './incident-lookup.ts'
import { nameOf, type Owner, ownedBy } from './owner.ts'

const FIRST_SEEN = 'healthy is the first stage that is known'
/** It was held back while it was ill, or a person has ended its incident, or its group has the incident. */
const NOTHING_STANDS = 'it is healthy, and has neither an open incident nor another announcement to end'

/** Acts on a change of stage, once: under the lock of its owner, whose mark `acted_stage` then says so. */
export async function act(ctx: StepContext, owner: Owner, transition: BeatTransition): Promise<void> {
  const { record } = owner
  const { to_stage: to } = transition
  const about = `transition ${transition.number} to ${to}`
  const evidence = transition.evidence.trim()
  const note = (message: string) => ctx.note('transition', `${about}: ${message}`)
  const first = to === 'healthy' && (record.acted_stage ?? 'healthy') === 'healthy'
  if (first) {
    transition.not_acted_because ??= transition.from_stage === null ? FIRST_SEEN : NOTHING_STANDS
    note(`no action, because ${transition.not_acted_because}`)
  } else {
    if (evidence) note(evidence)
    await supersede(ctx, owner, `The ${nameOf(owner)} is ${to} by now.`)
    if (to === 'healthy') await endBanners(ctx, owner, 'recovery')
    const natural = `transition:${transition.number}`
    const done = await bannerOf(ctx, owner, { natural, to_stage: to, evidence: transition.evidence })
    const told = await publish(ctx, owner, transition)
    if (typeof told !== 'string') done.push(...told)
    for (const { message } of done) note(message)
    if (typeof told === 'string') note(`no public action, because ${told}`)
    if (done.length > 0) record.last_action_created_at = ctx.now
    // That it says nothing in public is told even beside a banner where it was to say something.
    const silent = [...transition.actions, ...done].length === 0 || told === NOTHING_AFFECTED
    noteDone(transition, done, silent && typeof told === 'string' ? told : null)
    if (to === 'healthy') await forgetIncident(ctx, owner)
  }
  record.acted_stage = to
  await ctx.tx.flush()
  ctx.reached('turn taken')
}

export const policyFor = ({ record }: Owner, stage: string): ActionPolicy =>
  (record.action_policies as ActionPolicies)[policyStageOf(stage)] ?? {}

type Shown = Pick<BeatTransition, 'to_stage' | 'evidence'> & { natural: string }

/** The banner of a stage, if its policy has one. */
export async function bannerOf(ctx: StepContext, owner: Owner, shown: Shown): Promise<Done[]> {
  const { natural, to_stage: stage } = shown
  if (!policyFor(owner, stage).admin_banner) return []
  const banner = await showBanner(ctx, owner, { natural, stage, message: bannerWords(owner, shown) })
  return banner ? [{ kind: 'banner', id: banner.id, message: `banner ${banner.id} shown` }] : []
}

/** The public action of a transition: one, be it that it is decided on or only drafted. */
async function publish(ctx: StepContext, owner: Owner, transition: BeatTransition): Promise<Done[] | string> {
  const policy = policyFor(owner, transition.to_stage)
  const group = await actingGroup(ctx, owner)
  if (group) return `the ${groupName(group)} takes the public actions of the ${nameOf(owner)}`
  if (!policy.public_post) return `no public post is set for ${policyStageOf(transition.to_stage)}`
  if ((await ctx.tx.count(BeatAction, { transition_id: transition.id })) > 0) return 'this transition has its action'
  const draft = await draftOf(ctx, owner, transition, policy)
  if ('nothing' in draft) return draft.nothing
  const mode = policy.public_post_mode ?? 'draft_only'
  const action = newAction(ctx, owner, transition, mode, draft)
  await ctx.tx.flush()
  if (action.mode === 'automatic') return carriedOut(ctx, owner, action)
  askFor(ctx, owner, action)
  return [{ kind: 'action', id: action.id, message: `action ${action.id} waits for review: ${doing[draft.kind]}` }]
}

/** Somebody is to decide: on a draft, or on what was to be posted by itself and could not be. */
function askFor(work: WorkContext, { kind: of, record }: Owner, action: BeatAction): void {
  const { kind, title } = action.draft as unknown as Draft
  const failed = action.state === 'failed' ? { reason: action.reason } : {}
  const data = { beat_action_id: action.id, stage: action.stage, kind, title, ...failed }
  addNotification(work, { key: 'beat.review_requested', kind: of, id: record.id, natural: `review:${action.id}`, data })
}

/** The group that takes the public actions of a member. An incident that the member opened before stays with the member. */
export async function actingGroup(
  { tx }: WorkContext,
  { kind, record }: Pick<Owner, 'kind' | 'record'>,
): Promise<BeatGroup | null> {
  const group = kind === 'beat' ? (record as Beat).beat_group_id : null
  if (group === null || (await lockOpenIncident(tx, record.current_incident_id))) return null
  return tx.findOne(BeatGroup, { id: group })
}

const doing = {
  open: 'opens an incident',
  update: 'updates its incident',
  resolve: 'resolves its incident',
  reopen: 'opens its incident again',
} as const

export async function carriedOut(work: WorkContext, owner: Owner, action: BeatAction): Promise<Done[]> {
  if (await execute(work, owner, action)) return doneBy(action)
  askFor(work, owner, action)
  return [{ kind: 'action', id: action.id, message: `action ${action.id} failed: ${action.reason}` }]
}

function newAction(
  { tx, pageId, now }: StepContext,
  owner: Owner,
  transition: BeatTransition,
  mode: BeatAction['mode'],
  draft: Draft,
): BeatAction {
  return tx.create(BeatAction, {
    page_id: pageId,
    ...ownedBy(owner),
    transition_id: transition.id,
    stage: transition.to_stage,
    mode,
    state: mode === 'automatic' ? 'approved' : 'pending_review',
    draft: { ...draft },
    ...{ incident_id: null, update_id: null, notification_event: null, reason: null, executed_at: null },
    ...{ decision_note: null, decided_by: null, decided_at: null },
    version: 1,
    created_at: now,
    updated_at: now,
  })
}

/** A newer stage makes moot what waits for review. */
export async function supersede(
  ctx: StepContext,
  owner: Pick<Owner, 'kind' | 'record'>,
  reason: string,
): Promise<void> {
  const { tx, now } = ctx
  for (const action of await tx.find(BeatAction, { ...ownedBy(owner), state: 'pending_review' })) {
    Object.assign(action, { state: 'superseded', reason, version: action.version + 1, updated_at: now })
    ctx.note('review', `action ${action.id} superseded: ${reason}`)
  }
}

/** A beat that is well has no incident, unless one is still open: it was told by hand, or its policy keeps it so. */
async function forgetIncident({ tx }: StepContext, { record }: Owner): Promise<void> {
  if (record.current_incident_id === null) return
  if ((await tx.count(Incident, { id: record.current_incident_id, resolved_at: null })) === 0) {
    record.current_incident_id = null
  }
}
