import type { z } from 'zod'
import type { Incident } from '../../persistence/entities/incident.ts'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { resolveItems } from '../hierarchy/references.ts'
import type { ItemRef } from '../hierarchy/schema.ts'
import { assignDefined } from '../kernel/assign.ts'
import type { Context } from '../kernel/context.ts'
import { requireVersion } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { replaced, revising } from '../kernel/revise.ts'
import { sceneOf } from '../kernel/scene.ts'
import { externalId, version } from '../kernel/schema.ts'
import { announce } from '../notifications/announce.ts'
import { translate } from '../translations/write.ts'
import { requireStage, requireStatus, stagesOf, statusTypes } from '../vocabulary/lookup.ts'
import { RESOLVED } from '../vocabulary/rules.ts'
import { intervalOf, report } from './create.ts'
import { followStatuses, post } from './entry.ts'
import { hold } from './open.ts'
import { moveStart } from './past.ts'
import { pastInWords } from './past-rules.ts'
import { allows } from './policy.ts'
import { presentFull } from './presenter.ts'
import { remindBefore } from './reminder.ts'
import { impactEnd } from './rules.ts'
import { IncidentCreateRequest, IncidentResource, IncidentUpdateRequest } from './schema.ts'
import { incidentProcess, incidentSubject } from './subject.ts'

type Input = z.output<typeof IncidentUpdateRequest>

export const putIncident = operation({
  name: 'incidents.put',
  makes: 'incident',
  area: 'incidents',
  permission: 'write',
  summary: 'Report the incident with this external id, or replace what it says',
  description:
    'What the body leaves out gets its default; status, stage, start and translations stay unless the body names them. What says no more than what is stored changes nothing. Status and start are held against the same rules as in a change.',
  input: IncidentCreateRequest.extend({ external_id: externalId(), version: version().optional() }),
  output: IncidentResource,
  run: async (ctx, input) => {
    const incident = await incidentSubject.find(ctx, { external_id: input.external_id }, { lock: true })
    requireVersion(incident, input.version)
    if (!incident) return report(ctx, input)
    ctx.revised()
    const { impact = null, affected_items_freetext = null, ...rest } = input
    const cleared = { impact, affected_items_freetext, reminder_interval_minutes: await intervalOf(ctx, input) }
    // A retry after the end says again what was affected then.
    const affected_items = incident.resolved_at ? undefined : rest.affected_items
    const chat_channel_id = input.chat_channel_id ?? null
    await change(ctx, incident, { ...rest, ...cleared, affected_items }, { chat_channel_id })
    return (await presentFull(ctx.tx, [incident]))[0]!
  },
})

export const updateIncident = operation({
  name: 'incidents.update',
  area: 'incidents',
  permission: 'write',
  summary: 'Change an incident',
  description: `What says no more than what is stored changes nothing, raises no \`version\` and tells nobody. The status \`resolved\` resolves it, with the rules of resolving; a resolved incident keeps its status until it is reopened. With \`require_incident_ack_before_updates\` another open status answers 409 until the incident is acknowledged. Another \`started_at\` moves those impacts with it that began then and had not ended by the new one; it may not lie behind what the timeline tells. ${pastInWords}`,
  subject: incidentSubject,
  input: IncidentUpdateRequest,
  output: IncidentResource,
  run: async (ctx, input, incident) => {
    await change(ctx, incident, input)
    return (await presentFull(ctx.tx, [incident]))[0]!
  },
})

async function change(ctx: Context, incident: Incident, input: Input, also: Partial<Incident> = {}): Promise<void> {
  const { tx, now } = ctx
  const revise = revising(ctx, incidentSubject, incident)
  const { status } = input
  if (status !== undefined && status !== RESOLVED) {
    requireStatus(await statusTypes(tx), status, 'status', incident.status)
    await allows(ctx, incident, status === incident.status ? 'change: fields' : 'change: open status')
  }
  const stage = requireStage(await stagesOf(tx, 'incident'), input, incident.lifecycle_stage_id)
  const { title, description, impact, affected_items_freetext } = input
  assignDefined(incident, { title, description, impact, affected_items_freetext, ...also })
  if (input.started_at) await moveStart(sceneOf(ctx), incident, new Date(input.started_at))
  if (stage) incident.lifecycle_stage_id = stage.id
  if (input.affected_items) await affect(ctx, incident, input.affected_items)
  await translate(ctx, ['incident', incident.id], input.translations)
  if (status === RESOLVED && (await allows(ctx, incident, 'change: resolved'))) {
    const message = 'This incident has been resolved.'
    const interval = input.reminder_interval_minutes
    await post(sceneOf(ctx), incident, { message, status, stageId: stage?.id, interval, notify: input.notify })
    return
  }
  if (input.reminder_interval_minutes !== undefined) changeInterval(ctx, incident, input.reminder_interval_minutes)
  if (status !== undefined) incident.status = status
  if (!revise()) return
  await tx.flush()
  await followStatuses(sceneOf(ctx), incident, now)
  if (!input.notify) return
  announce(ctx, { key: 'incident.updated', kind: 'incident', id: incident.id, natural: `version:${incident.version}` })
}

/** Reminders count from the change of the interval; the same interval again changes nothing. */
function changeInterval(ctx: Context, incident: Incident, minutes: number | null): void {
  if (incident.reminder_interval_minutes === minutes) return
  const reminded = remindBefore(sceneOf(ctx), incident)
  incident.reminder_interval_minutes = minutes
  incident.reminders_from = ctx.now
  ctx.wake(incidentProcess(incident), `a new reminder interval${reminded}`)
}

/** Those that are named are affected from now on, and nothing else is. */
async function affect(ctx: Context, incident: Incident, refs: ItemRef[]): Promise<void> {
  const { tx, now } = ctx
  const standing = incident.resolved_at ? { ended_by_resolution: true } : { end_time: null }
  const open = await tx.find(IncidentImpact, { incident_id: incident.id, ...standing })
  const affected = [...new Set(open.map((impact) => impact.item_id))]
  const items = await resolveItems(tx, refs, 'affected_items', affected)
  const wanted = items.map((item) => item.id)
  if (!replaced(ctx, 'affected_items', affected, wanted)) return
  await allows(ctx, incident, 'change: affected items')
  for (const impact of open)
    if (!items.some((item) => item.id === impact.item_id)) impact.end_time = impactEnd(impact, now)
  const added = wanted.filter((id) => !affected.includes(id))
  hold(sceneOf(ctx), incident, added, now)
  // A resolution in the same request ends what is affected still, and reads it.
  await tx.flush()
}
