import type { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { HierarchyItem } from '../../../persistence/entities/hierarchy-item.ts'
import type { Incident } from '../../../persistence/entities/incident.ts'
import type { IncidentUpdate } from '../../../persistence/entities/incident-update.ts'
import { keyOf, writeUpdate } from '../../incidents/add-update.ts'
import { addMissingImpacts, openIncident } from '../../incidents/open-incident.ts'
import { Problem } from '../../kernel/errors.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { addPreparedTranslations } from '../../translations/write.ts'
import { requireStage, requireStatus, stagesOf, statusTypes } from '../../vocabulary/lookup.ts'
import { firstStage, RESOLVED } from '../../vocabulary/rules.ts'
import { incidentName } from '../definition/naming-rules.ts'
import { nameOf, type Owner } from '../definition/owner.ts'
import { lockIncident, lockLastIncident, reopeningProblem } from '../incidents/incident-lookup.ts'
import type { Draft } from './action-draft.ts'
import type { Done } from './action-effects.ts'
import { withoutAffectedItems } from './action-rules.ts'
import { hasAffectedItems } from './affected-items.ts'
import { policyFor } from './situation.ts'

interface Published {
  incident: Incident
  update?: IncidentUpdate
  event?: string
  /** Why nothing was posted. */
  remark?: string
}

const effects = { open: 'opened', update: 'updated', resolve: 'resolved', reopen: 'reopened' } as const

/**
 * Writes the incident of an action from the facts of now, under the lock of the owner. A refusal, such as a policy with a
 * status that the page has deleted, makes the action `failed` with a reason and stops nothing else.
 */
export async function publishAction(work: WorkContext, owner: Owner, action: BeatAction): Promise<Done[]> {
  const { now } = work
  try {
    const { incident, update, event, remark } = await publish(work, owner, action)
    Object.assign(action, {
      ...{ state: 'executed', incident_id: incident.id, update_id: update?.id ?? null },
      ...{ notification_event: event ?? null, reason: remark ?? null, executed_at: now, updated_at: now },
    } satisfies Partial<BeatAction>)
    owner.record.current_incident_id = incident.resolved_at ? null : incident.id
    owner.record.last_action_created_at = now
    const message = remark ?? `${incidentName(incident)} ${effects[(action.draft as unknown as Draft).kind]}`
    const posted: Done[] = update ? [{ kind: 'update', id: update.id, message: `update ${update.id} posted` }] : []
    return [{ kind: 'incident', id: incident.id, message }, ...posted]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    Object.assign(action, { state: 'failed', reason: error.message, updated_at: now } satisfies Partial<BeatAction>)
    return [{ kind: 'action', id: action.id, message: `action ${action.id} failed: ${error.message}` }]
  }
}

/** Everything that may be refused is checked before the first write. */
async function publish(work: WorkContext, owner: Owner, action: BeatAction): Promise<Published> {
  const draft = action.draft as unknown as Draft
  const stages = await stagesOf(work.tx, 'incident')
  const stage = requireStage(stages, draft)
  if (draft.kind === 'resolve') return resolve(work, draft, stage?.id)
  const status = requireStatus(await statusTypes(work.tx), draft.incident_status, 'incident_status')
  const items = await existingItems(work, draft.items)
  if (draft.kind !== 'update' && !(await hasAffectedItems(work, owner, { ...draft, items }))) {
    throw new Problem('conflict', `The ${withoutAffectedItems(nameOf(owner))}.`)
  }
  const first = firstStage(stages)?.id ?? null
  if (draft.kind === 'open') return open(work, owner, action, { status, stageId: stage?.id ?? first, items })
  const incident = await requireIncident(work, draft)
  const reopens = incident.resolved_at !== null
  if (reopens) await requireReopening(work, owner, action, incident)
  if (draft.impact !== null) incident.impact = draft.impact
  const update = await writeUpdate(work, incident, {
    ...{ message: draft.body, status, interval: draft.reminder_interval_minutes, notify: true },
    stageId: stage?.id ?? (reopens ? first : undefined),
    // A reopened incident affects the items of now, not those of its resolution.
    ...(reopens ? { items } : {}),
  })
  await addMissingImpacts(work, incident, items)
  translateUpdate(work, update, draft)
  return { incident, update, event: keyOf(update) }
}

async function existingItems({ tx }: WorkContext, items: number[]): Promise<number[]> {
  const found = await tx.find(HierarchyItem, { id: { $in: items }, archived_at: null })
  return items.filter((id) => found.some((item) => item.id === id))
}

interface Opening {
  status: string
  stageId: number | null
  items: number[]
}

async function open(
  work: WorkContext,
  owner: Owner,
  action: BeatAction,
  { status, stageId, items }: Opening,
): Promise<Published> {
  const last = await lockLastIncident(work.tx, owner)
  if (last && !last.resolved_at) {
    throw new Problem('conflict', `The ${incidentName(last)} of the ${nameOf(owner)} is open already.`)
  }
  const draft = action.draft as unknown as Draft
  const incident = await openIncident(work, {
    ...{ title: draft.title, description: draft.body, status, lifecycle_stage_id: stageId, items, notify: true },
    ...{ impact: draft.impact, affected_items_freetext: draft.affected_items_freetext },
    reminder_interval_minutes: draft.reminder_interval_minutes,
    started_at: await outageStart(work, action),
  })
  const variants = draft.translations.map(({ locale, title, body }) => ({
    locale,
    values: { ...(title ? { title } : {}), ...(body ? { description: body } : {}) },
  }))
  addPreparedTranslations(work, ['incident', incident.id], variants)
  return { incident, event: 'incident.created' }
}

/** The outage begins at the transition, however late the action is approved. */
async function outageStart({ tx, now }: WorkContext, { transition_id }: BeatAction): Promise<Date> {
  const { at } = await tx.findOneOrFail(BeatTransition, { id: transition_id })
  return at < now ? at : now
}

async function resolve(work: WorkContext, draft: Draft, stageId: number | undefined): Promise<Published> {
  const incident = await requireIncident(work, draft)
  if (incident.resolved_at) return { incident, remark: `The ${incidentName(incident)} was resolved already.` }
  const update = await writeUpdate(work, incident, { message: draft.body, status: RESOLVED, stageId, notify: true })
  translateUpdate(work, update, draft)
  return { incident, update, event: keyOf(update) }
}

function translateUpdate(work: WorkContext, update: IncidentUpdate, { translations }: Draft): void {
  const variants = translations.flatMap(({ locale, body }) => (body ? [{ locale, values: { message: body } }] : []))
  addPreparedTranslations(work, ['incident_update', update.id], variants)
}

async function requireIncident({ tx }: WorkContext, { incident_id: id = 0 }: Draft): Promise<Incident> {
  const incident = await lockIncident(tx, id)
  if (!incident) throw new Problem('conflict', `The incident ${id} was deleted.`)
  return incident
}

/** A resolved incident is reopened only by a draft that says so, and only if the policies of now allow that. */
async function requireReopening(
  work: WorkContext,
  owner: Owner,
  action: BeatAction,
  incident: Incident,
): Promise<void> {
  const { kind } = action.draft as unknown as Draft
  if (kind === 'update') throw new Problem('conflict', `The ${incidentName(incident)} was resolved meanwhile.`)
  const problem = await reopeningProblem(work, incident, policyFor(owner, action.stage))
  if (problem) throw new Problem('conflict', problem)
}
