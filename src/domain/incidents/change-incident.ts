import type { z } from 'zod'
import type { Incident } from '../../persistence/entities/incident.ts'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { backfillDescription } from '../hierarchy/history-backfill-rules.ts'
import { resolveItems } from '../hierarchy/references.ts'
import type { ItemRef } from '../hierarchy/schema.ts'
import { assignDefined } from '../kernel/assign.ts'
import type { Context } from '../kernel/context.ts'
import { requireVersion } from '../kernel/errors.ts'
import { changedValues, resetValues } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { rememberRequest } from '../kernel/repeated.ts'
import { replaced, trackRevision, trackVisible } from '../kernel/revise.ts'
import { notifyFrom } from '../notifications/announce.ts'
import { translate } from '../translations/write.ts'
import { requireStage, requireStatus, stagesOf, statusTypes } from '../vocabulary/lookup.ts'
import { RESOLVED } from '../vocabulary/rules.ts'
import { defaultMessage, followStatuses, writeUpdate } from './add-update.ts'
import { pageDefaults, report } from './create.ts'
import { incidentFields } from './fields.ts'
import { moveStart } from './history-backfill.ts'
import { addImpacts, incidentDefaults } from './open-incident.ts'
import { allows } from './policy.ts'
import { presentFull, publicFields } from './presenter.ts'
import { reminderWords, writeDueReminder } from './reminder.ts'
import { endImpact } from './rules.ts'
import { IncidentPutRequest, IncidentResource, IncidentUpdateRequest } from './schema.ts'
import { incidentSubject } from './subject.ts'

type Input = z.output<typeof IncidentUpdateRequest>

export const putIncident = operation({
  name: 'incidents.put',
  makes: 'incident',
  area: 'incidents',
  permission: 'write',
  summary: 'Create the incident with this external id, or replace its fields',
  description:
    'A field that the body omits gets its default; status, stage, start and translations stay unless the body names them. A body that equals the stored record changes nothing. The rules of a change apply to status and start.',
  input: IncidentPutRequest,
  output: IncidentResource,
  run: async (ctx, input) => {
    const incident = await incidentSubject.find(ctx, { external_id: input.external_id }, { lock: true })
    requireVersion(incident, input.version)
    if (!incident) {
      await rememberRequest(ctx, 'incident', input, () => pageDefaults(ctx))
      return report(ctx, input)
    }
    ctx.revised()
    const reset = resetValues(incidentFields, await incidentDefaults(ctx))
    // A retry after the resolution names the items that were affected before.
    const affected_items = incident.resolved_at ? undefined : input.affected_items
    await change(ctx, incident, { ...reset, ...input, affected_items })
    return (await presentFull(ctx.tx, [incident]))[0]!
  },
})

export const updateIncident = operation({
  name: 'incidents.update',
  area: 'incidents',
  permission: 'write',
  summary: 'Change an incident',
  description: `A body that equals the stored record changes nothing, raises no \`version\` and writes no notification. A new status writes an entry of the timeline. A change that readers of the page cannot see, such as the reminder interval or the draft of a translation, writes no notification. The status \`resolved\` resolves the incident, with the rules of resolving; a resolved incident keeps its status until it is reopened. With \`require_incident_ack_before_updates\` a new open status answers 409 until the incident is acknowledged. A new \`started_at\` also moves the impacts that began at the old start and had not ended by the new start; it must not lie after the first entry of the timeline. ${backfillDescription}`,
  subject: incidentSubject,
  input: IncidentUpdateRequest,
  output: IncidentResource,
  run: async (ctx, input, incident) => {
    await change(ctx, incident, input)
    return (await presentFull(ctx.tx, [incident]))[0]!
  },
})

async function change(ctx: Context, incident: Incident, input: Input): Promise<void> {
  const { tx } = ctx
  const work = ctx
  const { status, notify } = input
  const revise = trackRevision(ctx, incidentSubject, incident)
  const isNews = trackVisible(ctx, () => publicFields(incident))
  const moves = status !== undefined && status !== RESOLVED && status !== incident.status
  if (status !== undefined && status !== RESOLVED) {
    requireStatus(await statusTypes(tx), status, 'status', incident.status)
    await allows(ctx, incident, moves ? 'change: open status' : 'change: fields')
  }
  const stage = requireStage(await stagesOf(tx, 'incident'), input, incident.lifecycle_stage_id)
  const { reminder_interval_minutes: interval, ...changed } = changedValues(incidentFields, input)
  assignDefined(incident, changed)
  const { started_at: start } = input
  if (start !== undefined) await moveStart(work, incident, start === null ? incident.created_at : new Date(start))
  if (input.affected_items) await replaceItems(ctx, incident, input.affected_items)
  await translate(ctx, ['incident', incident.id], input.translations)
  if (moves || (status === RESOLVED && (await allows(ctx, incident, 'change: resolved')))) {
    await writeUpdate(work, incident, {
      message: await defaultMessage(ctx, status),
      status,
      stageId: stage?.id,
      interval,
      notify,
    })
    return
  }
  if (stage) incident.lifecycle_stage_id = stage.id
  if (interval !== undefined) changeInterval(ctx, incident, interval)
  if (!revise()) return
  await tx.flush()
  await followStatuses(work, incident, { notify })
  if (!isNews()) return
  notifyFrom(ctx, {
    key: 'incident.updated',
    kind: 'incident',
    id: incident.id,
    natural: `version:${incident.version}`,
    notify,
  })
}

/** Reminders count from the change of the interval; the same interval again changes nothing. */
function changeInterval(ctx: Context, incident: Incident, minutes: number | null): void {
  if (incident.reminder_interval_minutes === minutes) return
  const reminded = writeDueReminder(ctx, incident)
  incident.reminder_interval_minutes = minutes
  incident.reminders_from = ctx.now
  const was = minutes === null ? 'the removal of the reminder interval' : `the new reminder interval of ${minutes} min`
  ctx.wake({ kind: 'incident', id: incident.id }, `${was}${reminded}${reminderWords(ctx, incident)}`)
}

/** Opens impacts on the items that the request adds and ends the impacts on the items that it leaves out. */
async function replaceItems(ctx: Context, incident: Incident, refs: ItemRef[]): Promise<void> {
  const { tx, now } = ctx
  const current = incident.resolved_at ? { ended_by_resolution: true } : { end_time: null }
  const open = await tx.find(IncidentImpact, { incident_id: incident.id, ...current })
  const affected = [...new Set(open.map((impact) => impact.item_id))]
  const items = await resolveItems(tx, refs, 'affected_items', affected)
  const wanted = items.map((item) => item.id)
  if (!replaced(ctx, 'affected_items', affected, wanted)) return
  await allows(ctx, incident, 'change: affected items')
  for (const impact of open)
    if (!items.some((item) => item.id === impact.item_id)) endImpact(impact, now, incident.status)
  const added = wanted.filter((id) => !affected.includes(id))
  addImpacts(ctx, incident, added, now)
  // A resolution in the same request reads and ends the open impacts.
  await tx.flush()
}
