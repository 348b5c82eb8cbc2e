import type { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { HierarchyItem } from '../../../persistence/entities/hierarchy-item.ts'
import type { Incident } from '../../../persistence/entities/incident.ts'
import type { IncidentUpdate } from '../../../persistence/entities/incident-update.ts'
import { keyOf, writeUpdate } from '../../incidents/add-update.ts'
import { intervalOf } from '../../incidents/create.ts'
import { addMissingImpacts, openIncident } from '../../incidents/open-incident.ts'
import { Problem } from '../../kernel/errors.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { addPreparedTranslations } from '../../translations/write.ts'
import { requireStage, requireStatus, stagesOf, statusTypes } from '../../vocabulary/lookup.ts'
import { firstStage, RESOLVED } from '../../vocabulary/rules.ts'
import { incidentName } from '../definition/naming-rules.ts'
import { type ActionPolicies, policyStageOf } from '../definition/policies.ts'
import { affectsNothing, NOTHING_AFFECTED } from './affected.ts'
import { closedFor, type Draft } from './draft.ts'
import { lockIncident, lockLastIncident } from './incident-lookup.ts'
import type { Owner } from './owner.ts'

type Acting = Pick<Owner, 'kind' | 'record'>

interface Posted {
  incident: Incident
  update?: IncidentUpdate
  /** Nothing when there was nothing left to post. */
  event?: string
  remark?: string
}

/**
 * Carries an action out, as the facts are now, under the lock of its owner. What keeps it from that is written on it as
 * words: a policy that names what the page has no more must not stop the process. Answers whether it was carried out.
 */
export async function execute(work: WorkContext, owner: Acting, action: BeatAction): Promise<boolean> {
  const { now } = work
  try {
    const { incident, update, event, remark } = await posted(work, owner, action)
    Object.assign(action, {
      ...{ state: 'executed', incident_id: incident.id, update_id: update?.id ?? null },
      ...{ notification_event: event ?? null, reason: remark ?? null, executed_at: now, updated_at: now },
    } satisfies Partial<BeatAction>)
    owner.record.current_incident_id = incident.resolved_at ? null : incident.id
    owner.record.last_action_created_at = now
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    Object.assign(action, { state: 'failed', reason: error.message, updated_at: now } satisfies Partial<BeatAction>)
    return false
  }
}

/** All that may be refused is asked before the first fact is written: a refusal takes nothing back. */
async function posted(work: WorkContext, owner: Acting, action: BeatAction): Promise<Posted> {
  const { tx } = work
  const draft = action.draft as unknown as Draft
  if (draft.kind === 'resolve') return resolved(work, draft)
  const status = requireStatus(await statusTypes(tx), draft.incident_status, 'incident_status')
  const stages = await stagesOf(tx, 'incident')
  const named = requireStage(stages, draft)
  const there = await tx.find(HierarchyItem, { id: { $in: draft.items }, archived_at: null })
  const items = draft.items.filter((id) => there.some((item) => item.id === id))
  const opens = draft.kind === 'open' || draft.kind === 'reopen'
  if (opens) await requireAffected(work, owner, { ...draft, items })
  if (draft.kind === 'open') {
    await requireNone(work, owner)
    const started_at = await outageStart(work, action)
    return opened(work, draft, { status, stageId: (named ?? firstStage(stages))?.id ?? null, items, started_at })
  }
  const incident = await requireIncident(work, draft)
  const again = incident.resolved_at !== null
  if (again && draft.kind === 'update') throw overAlready(incident)
  if (again) await requireReopening(work, incident, owner, action.stage)
  if (draft.impact !== null) incident.impact = draft.impact
  const stageId = named?.id ?? (again ? (firstStage(stages)?.id ?? null) : undefined)
  const update = await writeUpdate(work, incident, {
    ...{ message: draft.body, status, stageId, interval: draft.reminder_interval_minutes, notify: true },
    // Whatever the resolution ended, only the items that are affected now are affected again.
    ...(again ? { items } : {}),
  })
  await addMissingImpacts(work, incident, items)
  translateEntry(work, update, draft)
  return { incident, update, event: keyOf(update) }
}

/** When the stage changed that the action is about: that an action waited for its approval makes no outage shorter. */
async function outageStart({ tx, now }: WorkContext, { transition_id }: BeatAction): Promise<Date> {
  const { at } = await tx.findOneOrFail(BeatTransition, { id: transition_id })
  return at < now ? at : now
}

interface Opened {
  status: string
  stageId: number | null
  items: number[]
  started_at: Date
}

async function opened(work: WorkContext, draft: Draft, { status, stageId, items, started_at }: Opened) {
  const incident = await openIncident(work, {
    ...{ title: draft.title, description: draft.body, status, lifecycle_stage_id: stageId, items, notify: true },
    ...{ impact: draft.impact, affected_items_freetext: draft.affected_items_freetext },
    reminder_interval_minutes: await intervalOf(work, draft),
    started_at,
  })
  const variants = draft.translations.map(({ locale, title, body }) => ({
    locale,
    values: { ...(title ? { title } : {}), ...(body ? { description: body } : {}) },
  }))
  addPreparedTranslations(work, ['incident', incident.id], variants)
  return { incident, event: 'incident.created' }
}

async function resolved(work: WorkContext, draft: Draft): Promise<Posted> {
  const stage = requireStage(await stagesOf(work.tx, 'incident'), draft)
  const incident = await requireIncident(work, draft)
  if (incident.resolved_at) return { incident, remark: `The ${incidentName(incident)} was resolved already.` }
  const update = await writeUpdate(work, incident, {
    ...{ message: draft.body, status: RESOLVED, stageId: stage?.id, notify: true },
  })
  translateEntry(work, update, draft)
  return { incident, update, event: keyOf(update) }
}

function translateEntry(work: WorkContext, update: IncidentUpdate, { translations }: Draft): void {
  const variants = translations.flatMap(({ locale, body }) => (body ? [{ locale, values: { message: body } }] : []))
  addPreparedTranslations(work, ['incident_update', update.id], variants)
}

async function requireIncident({ tx }: WorkContext, { incident_id: id = 0 }: Draft): Promise<Incident> {
  const incident = await lockIncident(tx, id)
  if (!incident) throw new Problem('conflict', `The incident ${id} was deleted.`)
  return incident
}

async function requireNone(work: WorkContext, owner: Acting): Promise<void> {
  const incident = await lockLastIncident(work.tx, owner)
  if (!incident || incident.resolved_at) return
  throw new Problem('conflict', `The ${incidentName(incident)} is open for it already.`)
}

/** By the policies of now: what was lately when it was drafted may be long ago by the time that somebody approves it. */
async function requireReopening(
  work: WorkContext,
  incident: Incident,
  { record }: Acting,
  stage: string,
): Promise<void> {
  const policy = (record.action_policies as ActionPolicies)[policyStageOf(stage)] ?? {}
  const because = await closedFor(work, incident, policy)
  if (because) throw new Problem('conflict', because)
}

/** What it was to tell of may be gone. What a beat says by now instead is for another draft: it is approved again then. */
async function requireAffected(
  work: WorkContext,
  owner: Acting,
  { items, affected_items_freetext }: Draft,
): Promise<void> {
  if (await affectsNothing(work, owner, { items, affected_items_freetext })) {
    throw new Problem('conflict', `${NOTHING_AFFECTED.charAt(0).toUpperCase()}${NOTHING_AFFECTED.slice(1)}.`)
  }
}

const overAlready = (incident: Incident) =>
  new Problem('conflict', `The ${incidentName(incident)} was resolved meanwhile.`)

/** What was done, or why nothing was, in the words that notes and transitions keep. */
export interface Done {
  kind: 'banner' | 'action' | 'incident' | 'update'
  id: number
  message: string
}

const did = { open: 'opened', update: 'updated', resolve: 'resolved', reopen: 'opened again' } as const

/** What was done is told by the transition that it came of, and no more why that was held back before. */
export function noteDone(transition: BeatTransition, done: Done[], because: string | null = null): void {
  transition.actions = [...transition.actions, ...done.map((one) => ({ ...one }))]
  transition.not_acted_because = because
}

/** What an action that was carried out has made. */
export function doneBy(action: BeatAction): Done[] {
  const { incident_id: incident, update_id: update, reason } = action
  const { kind } = action.draft as unknown as Draft
  return [
    { kind: 'incident', id: incident!, message: reason ?? `incident ${incident} ${did[kind]}` },
    ...(update === null ? [] : [{ kind: 'update' as const, id: update, message: `update ${update} posted` }]),
  ]
}
