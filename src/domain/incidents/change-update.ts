import { z } from 'zod'
import type { Incident } from '../../persistence/entities/incident.ts'
import { IncidentUpdate } from '../../persistence/entities/incident-update.ts'
import type { Context } from '../kernel/context.ts'
import { notFound } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { requireStored } from '../kernel/read-only.ts'
import { trackRevision } from '../kernel/revise.ts'
import { idInPath, message, versionToDelete } from '../kernel/schema.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { forgetTranslations, translate } from '../translations/write.ts'
import { requireStage, requireStatus, stagesOf, statusTypes } from '../vocabulary/lookup.ts'
import { RESOLVED } from '../vocabulary/rules.ts'
import { followStatuses } from './add-update.ts'
import { allows } from './policy.ts'
import { presentUpdates, presentWritten } from './presenter.ts'
import { IncidentTimelineUpdateRequest, versionInWords, WrittenIncidentUpdate } from './schema.ts'
import { incidentSubject } from './subject.ts'

export const changeUpdate = operation({
  name: 'incidents.updates.update',
  area: 'incidents',
  permission: 'write',
  summary: 'Edit an entry of the timeline',
  description:
    'A new status of the entry becomes the previous status of the next entry. A new status of the newest entry becomes the status of the incident, unless a change of the incident has set another status since. An edit cannot resolve or reopen the incident: both have operations of their own. An edit writes no `incident.updated`: an update or a change of the incident does.',
  subject: incidentSubject,
  input: IncidentTimelineUpdateRequest.extend({ update_id: idInPath() }),
  output: WrittenIncidentUpdate,
  run: async (ctx, input, incident) => {
    const { tx, now } = ctx
    const { update, next } = await entryOf(ctx, incident, input.update_id)
    const { status } = input
    const changesOpenness = status !== undefined && (status === RESOLVED) !== (update.status === RESOLVED)
    await allows(ctx, incident, changesOpenness ? 'entry: edit over a turn' : 'entry: edit')
    if (status !== undefined && status !== RESOLVED) {
      requireStatus(await statusTypes(tx), status, 'status', update.status)
    }
    const stage = requireStage(await stagesOf(tx, 'incident'), input, update.lifecycle_stage_id)
    requireStored(ctx, (await presentUpdates(tx, [update]))[0]!)
    const before = statusAndStage(update)
    const revise = trackRevision(ctx, incidentSubject, incident, () => [update.message, statusAndStage(update)])
    update.message = input.message
    if (status !== undefined) update.status = status
    if (stage) update.lifecycle_stage_id = stage.id
    await translate(ctx, ['incident_update', update.id], input.translations)
    if (revise()) {
      update.updated_at = now
      if (next) updateNext(next, before, statusAndStage(update))
      await followNewest(ctx, incident, next ? undefined : { from: before, to: statusAndStage(update) })
    }
    return presentWritten(tx, incident, update)
  },
})

export const deleteUpdate = operation({
  name: 'incidents.updates.delete',
  area: 'incidents',
  permission: 'write',
  summary: 'Delete an entry of the timeline',
  description:
    'Deleting the newest entry restores the status and the stage that the incident had before the entry, unless a change of the incident has set others since. An entry that resolved or reopened the incident cannot be deleted: 409. A deletion writes no `incident.updated`.',
  subject: incidentSubject,
  input: z.strictObject({ update_id: idInPath(), ...versionToDelete() }),
  output: message.extend({ version: z.int().describe(versionInWords) }),
  run: async (ctx, input, incident) => {
    const { update, next } = await entryOf(ctx, incident, input.update_id)
    const opened = update.previous_status === RESOLVED && update.status !== RESOLVED
    await allows(ctx, incident, update.is_resolution || opened ? 'entry: delete a turn' : 'entry: delete')
    const before = { status: update.previous_status, lifecycle_stage_id: update.previous_lifecycle_stage_id }
    if (next) updateNext(next, statusAndStage(update), before)
    await forgetTranslations(ctx, ['incident_update', update.id])
    ctx.tx.remove(update)
    Object.assign(incident, { version: incident.version + 1, updated_at: ctx.now })
    await followNewest(ctx, incident, next ? undefined : { from: statusAndStage(update), to: before })
    return { message: 'The update is deleted.', version: incident.version }
  },
})

/** The status that a resolved incident had before it was resolved. */
export async function lastOpenStatus({ tx }: Pick<WorkContext, 'tx'>, incident: Incident): Promise<string> {
  const resolution = await tx.findOne(
    IncidentUpdate,
    { incident_id: incident.id, is_resolution: true },
    { orderBy: { id: 'desc' } },
  )
  return resolution?.previous_status ?? incident.initial_status
}

async function entryOf({ tx }: Context, incident: Incident, id: number) {
  const update = await tx.findOne(IncidentUpdate, { id, incident_id: incident.id })
  if (!update) throw notFound('update')
  const later = { incident_id: incident.id, id: { $gt: id } }
  const next = await tx.findOne(IncidentUpdate, later, { orderBy: { id: 'asc' } })
  return { update, next }
}

interface StatusAndStage {
  status: string
  lifecycle_stage_id: number | null
}

const statusAndStage = ({ status, lifecycle_stage_id }: IncidentUpdate): StatusAndStage => ({
  status,
  lifecycle_stage_id,
})

/** Updates the previous status and stage of the next entry, unless a change of the incident came between the entries. */
function updateNext(next: IncidentUpdate, from: StatusAndStage, to: StatusAndStage): void {
  if (next.previous_status === from.status) next.previous_status = to.status
  if (next.previous_lifecycle_stage_id === from.lifecycle_stage_id) {
    next.previous_lifecycle_stage_id = to.lifecycle_stage_id
  }
}

/**
 * Applies the edited newest entry to the incident where the incident still has the values of the entry. An edit writes no
 * notification and does not restart the reminder interval.
 */
async function followNewest(
  ctx: Context,
  incident: Incident,
  newest?: { from: StatusAndStage; to: StatusAndStage },
): Promise<void> {
  const { status, lifecycle_stage_id } = incident
  if (newest && status === newest.from.status) incident.status = newest.to.status
  if (newest && lifecycle_stage_id === newest.from.lifecycle_stage_id) {
    incident.lifecycle_stage_id = newest.to.lifecycle_stage_id
  }
  await ctx.tx.flush()
  if (incident.status !== status) await followStatuses(ctx, incident)
}
