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
    'The entry that follows and, for the newest entry, the incident itself take over a changed status, unless a change of the incident has said something else since. Neither resolving nor reopening is an edit: both have operations of their own.',
  subject: incidentSubject,
  input: IncidentTimelineUpdateRequest.extend({ update_id: idInPath() }),
  output: WrittenIncidentUpdate,
  run: async (ctx, input, incident) => {
    const { tx, now } = ctx
    const { update, next } = await entryOf(ctx, incident, input.update_id)
    const { status } = input
    const turns = status !== undefined && (status === RESOLVED) !== (update.status === RESOLVED)
    await allows(ctx, incident, turns ? 'entry: edit over a turn' : 'entry: edit')
    if (status !== undefined && status !== RESOLVED) {
      requireStatus(await statusTypes(tx), status, 'status', update.status)
    }
    const stage = requireStage(await stagesOf(tx, 'incident'), input, update.lifecycle_stage_id)
    requireStored(ctx, (await presentUpdates(tx, [update]))[0]!)
    const before = said(update)
    const revise = trackRevision(ctx, incidentSubject, incident, () => [update.message, said(update)])
    update.message = input.message
    if (status !== undefined) update.status = status
    if (stage) update.lifecycle_stage_id = stage.id
    await translate(ctx, ['incident_update', update.id], input.translations)
    if (revise()) {
      update.updated_at = now
      if (next) follow(next, before, said(update))
      await followNewest(ctx, incident, next ? undefined : { from: before, to: said(update) })
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
    'Without its newest entry the incident is again what it was before, unless a change of the incident has said something else since. A resolution is undone by reopening.',
  subject: incidentSubject,
  input: z.strictObject({ update_id: idInPath(), ...versionToDelete() }),
  output: message.extend({ version: z.int().describe(versionInWords) }),
  run: async (ctx, input, incident) => {
    const { update, next } = await entryOf(ctx, incident, input.update_id)
    const opened = update.previous_status === RESOLVED && update.status !== RESOLVED
    await allows(ctx, incident, update.is_resolution || opened ? 'entry: delete a turn' : 'entry: delete')
    const before = { status: update.previous_status, lifecycle_stage_id: update.previous_lifecycle_stage_id }
    if (next) follow(next, said(update), before)
    await forgetTranslations(ctx, ['incident_update', update.id])
    ctx.tx.remove(update)
    Object.assign(incident, { version: incident.version + 1, updated_at: ctx.now })
    await followNewest(ctx, incident, next ? undefined : { from: said(update), to: before })
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

interface Said {
  status: string
  lifecycle_stage_id: number | null
}

const said = ({ status, lifecycle_stage_id }: IncidentUpdate): Said => ({ status, lifecycle_stage_id })

/** The entry that follows begins with what the one before it ended with, unless a change came between them. */
function follow(next: IncidentUpdate, from: Said, to: Said): void {
  if (next.previous_status === from.status) next.previous_status = to.status
  if (next.previous_lifecycle_stage_id === from.lifecycle_stage_id) {
    next.previous_lifecycle_stage_id = to.lifecycle_stage_id
  }
}

/**
 * Editing history is no update: reminders go on as they were, and nobody is told. The incident follows its newest entry
 * in what it still has from that.
 */
async function followNewest(ctx: Context, incident: Incident, newest?: { from: Said; to: Said }): Promise<void> {
  const { status, lifecycle_stage_id } = incident
  if (newest && status === newest.from.status) incident.status = newest.to.status
  if (newest && lifecycle_stage_id === newest.from.lifecycle_stage_id) {
    incident.lifecycle_stage_id = newest.to.lifecycle_stage_id
  }
  await ctx.tx.flush()
  if (incident.status !== status) await followStatuses(ctx, incident)
}
