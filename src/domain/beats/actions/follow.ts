import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import type { Told } from '../../../persistence/entities/beat-group.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { HierarchyItem } from '../../../persistence/entities/hierarchy-item.ts'
import type { Incident } from '../../../persistence/entities/incident.ts'
import { addMissingImpacts, endImpacts, impactedItems } from '../../incidents/open-incident.ts'
import { canonical } from '../../kernel/canonical.ts'
import type { StepContext } from '../../kernel/step.ts'
import { incidentName, itemNames } from '../definition/naming-rules.ts'
import { type ActionPolicies, policyStageOf } from '../definition/policies.ts'
import { act } from './act.ts'
import { draftAnew } from './again.ts'
import { toActOn } from './anew.ts'
import { type Draft, lockIncident, releasesOf } from './draft.ts'
import { type Owner, ownedBy } from './owner.ts'

interface Telling {
  /** That somebody shows who is heard; null if nobody does. */
  stage: string | null
  /** Of whom it told, and of whom it tells. */
  before: Told[]
  after: Told[]
}

/**
 * Members fall ill and recover while the stage of their group stays what it is: what they stand for joins the one
 * incident, and leaves it. What waits for review takes it up; a page that reviews each post has no other way to be told.
 */
export async function follow(ctx: StepContext, owner: Owner, telling: Telling): Promise<void> {
  const { record, items } = owner
  const acted = record.acted_stage
  const stands = telling.after.filter(({ ended }) => !ended)
  if (acted === null || acted === 'healthy' || stands.length === 0) return
  const policy = (record.action_policies as ActionPolicies)[policyStageOf(acted)]
  if (!policy?.public_post) return
  if (policy.public_post_mode !== 'automatic')
    return telling.stage === acted ? followInDraft(ctx, owner, telling.before, stands) : undefined
  const incident = record.current_incident_id === null ? null : await lockIncident(ctx.tx, record.current_incident_id)
  if (!incident || incident.resolved_at) return
  const added = await addMissingImpacts(ctx, incident, items)
  const kept = new Set([...items, ...stands.flatMap((one) => one.items)])
  const left = telling.before.flatMap((one) => one.items).filter((id) => !kept.has(id))
  const ended = await endImpacts(ctx, incident, left)
  const name = incidentName(incident)
  if (added.length > 0) ctx.note('items', `the ${name} affects ${await named(ctx, added)}, too`)
  if (ended.length > 0) ctx.note('items', `the ${name} does not affect ${await named(ctx, ended)} any more`)
}

const named = async ({ tx }: StepContext, ids: number[]) =>
  itemNames(await tx.find(HierarchyItem, { id: { $in: ids } }, { orderBy: { id: 'asc' } }))

/** What waits for review is about the members that are ill by now; where nothing waits, somebody is asked. */
async function followInDraft(ctx: StepContext, owner: Owner, before: Told[], after: Told[]): Promise<void> {
  const { tx, now, note } = ctx
  const waiting = await tx.find(BeatAction, { ...ownedBy(owner), state: 'pending_review' })
  if (waiting.length === 0) return askAnew(ctx, owner, itemsBeside(before, after))
  for (const action of waiting) {
    const transition = await tx.findOneOrFail(BeatTransition, { id: action.transition_id })
    // What it names is what it is about: both are made anew.
    const draft = await draftAnew(ctx, ...(await toldBy(ctx, owner, transition, after)))
    if ('nothing' in draft || aboutOf(draft) === aboutOf(action.draft as unknown as Draft)) continue
    action.draft = { ...draft }
    Object.assign(action, { version: action.version + 1, updated_at: now })
    note('items', `action ${action.id} is about ${await named(ctx, owner.items)} now`)
  }
}

const aboutOf = ({ kind, incident_id, items, releases = [] }: Draft) =>
  canonical({ kind, incident_id: incident_id ?? null, items, releases })

/** The member that it was told by tells it still, as long as that is ill; otherwise the one that does so by now. */
async function toldBy(
  { tx }: StepContext,
  owner: Owner,
  transition: BeatTransition,
  after: Told[],
): Promise<[Owner, BeatTransition]> {
  const { beat_id } = transition.facts
  if (beat_id === owner.voice.id) return [owner, transition]
  const first = after.some((one) => one.beat_id === beat_id) && (await tx.findOne(Beat, { id: beat_id! }))
  const voice = first || owner.voice
  const speaker = owner.speaker.kind === 'beat' ? { kind: 'beat' as const, record: voice } : owner.speaker
  const evidence = first ? transition.evidence : (voice.last_evidence_summary ?? '')
  const facts = first ? transition.facts : { beat_id: voice.id }
  return [
    { ...owner, voice, speaker },
    { ...transition, evidence, facts },
  ]
}

/** What those stand for who have fallen ill since it looked, and nobody else who is ill. */
const itemsBeside = (before: Told[], after: Told[]): number[] =>
  after.flatMap(({ items }) => items).filter((id) => !before.some(({ ended, items }) => !ended && items.includes(id)))

/** Nothing waits, and what is affected is another matter than what was decided on: asked once, whatever is decided then. */
async function askAnew(ctx: StepContext, owner: Owner, fresh: number[]): Promise<void> {
  const { tx } = ctx
  const { record } = owner
  const action = await tx.findOne(BeatAction, ownedBy(owner), { orderBy: { id: 'desc' } })
  const incident = record.current_incident_id === null ? null : await lockIncident(tx, record.current_incident_id)
  const open = incident !== null && incident.resolved_at === null
  if (!(open ? await isAnother(ctx, owner, incident, action) : isMore(owner, action, fresh))) return
  const number = record.transition_number
  const last = await tx.findOne(BeatTransition, { ...ownedBy(owner), number })
  if (last) await act(ctx, owner, await toActOn(ctx, owner, last, record.acted_stage!))
}

/** The incident holds down what is not affected, or not all that is, and nobody was asked about that. */
async function isAnother(
  ctx: StepContext,
  owner: Owner,
  incident: Incident,
  action: BeatAction | null,
): Promise<boolean> {
  const { items } = owner
  const held = await impactedItems(ctx, incident.id)
  const { releases = [] } = await releasesOf(ctx.tx, owner, incident)
  if (releases.length === 0 && items.every((id) => held.includes(id))) return false
  const asked = action?.draft as unknown as Draft | undefined
  return canonical([asked?.items, asked?.releases ?? []]) !== canonical([items, releases])
}

/** Nothing is told, as that was rejected or could not be posted, and by now more is affected than it was about. */
function isMore({ items }: Owner, action: BeatAction | null, fresh: number[]): boolean {
  if (action?.state !== 'rejected' && action?.state !== 'failed') return false
  const asked = action.draft as unknown as Draft
  return items.some((id) => fresh.includes(id) || !asked.items.includes(id))
}
