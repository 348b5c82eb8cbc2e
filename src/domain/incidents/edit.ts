import { z } from 'zod'
import type { Incident } from '../../persistence/entities/incident.ts'
import { IncidentUpdate } from '../../persistence/entities/incident-update.ts'
import type { Context } from '../kernel/context.ts'
import { notFound, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { idInPath, message } from '../kernel/schema.ts'
import { requireStage, requireStatus, stagesOf, statusTypes } from '../vocabulary/lookup.ts'
import { RESOLVED } from '../vocabulary/rules.ts'
import { followStatuses } from './entry.ts'
import { presentUpdate, stagesById } from './presenter.ts'
import { IncidentTimelineUpdateRequest, IncidentUpdateResource } from './schema.ts'
import { incidentSubject } from './subject.ts'

export const editUpdate = operation({
  name: 'incidents.updates.update',
  area: 'incidents',
  permission: 'write',
  summary: 'Edit an entry of the timeline',
  description:
    'The entry that follows and, for the newest entry, the incident itself take over a changed status. Neither resolving nor reopening is an edit: both have operations of their own.',
  subject: incidentSubject,
  input: IncidentTimelineUpdateRequest.extend({ update_id: idInPath() }),
  output: IncidentUpdateResource,
  run: async (ctx, input, incident) => {
    const { tx, now } = ctx
    const { update, next } = await entryOf(ctx, incident, input.update_id)
    const { status } = input
    if (status !== undefined && (status === RESOLVED) !== (update.status === RESOLVED)) {
      throw new Problem('conflict', 'An edit neither resolves nor reopens: use the operations for that.')
    }
    if (status !== undefined && status !== RESOLVED) requireStatus(await statusTypes(tx), status)
    const stage = requireStage(await stagesOf(tx, 'incident'), input)
    update.message = input.message
    if (status !== undefined) update.status = status
    if (stage) update.lifecycle_stage_id = stage.id
    update.updated_at = now
    if (next) next.previous_status = update.status
    await changed(ctx, incident, next ? undefined : update)
    return presentUpdate(update, await stagesById(tx))
  },
})

export const deleteUpdate = operation({
  name: 'incidents.updates.delete',
  area: 'incidents',
  permission: 'write',
  summary: 'Delete an entry of the timeline',
  description:
    'Without its newest entry the incident is again what it was before. A resolution is undone by reopening.',
  subject: incidentSubject,
  input: z.strictObject({ update_id: idInPath() }),
  output: message,
  run: async (ctx, input, incident) => {
    const { update, next } = await entryOf(ctx, incident, input.update_id)
    const opened = update.previous_status === RESOLVED && update.status !== RESOLVED
    if (update.is_resolution || opened) {
      throw new Problem('conflict', 'This entry resolved or reopened the incident: undo that by its own operation.')
    }
    if (next) next.previous_status = update.previous_status
    const before = { status: update.previous_status, lifecycle_stage_id: await stageBefore(ctx, update) }
    ctx.tx.remove(update)
    await changed(ctx, incident, next ? undefined : before)
    return { message: 'The update is deleted.' }
  },
})

/** The status that a resolved incident had before it was resolved. */
export async function lastOpenStatus({ tx }: Context, incident: Incident): Promise<string> {
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

async function stageBefore({ tx }: Context, update: IncidentUpdate): Promise<number | null> {
  const earlier = { incident_id: update.incident_id, id: { $lt: update.id } }
  const before = await tx.findOne(IncidentUpdate, earlier, { orderBy: { id: 'desc' } })
  if (before) return before.lifecycle_stage_id
  const stages = await stagesOf(tx, 'incident')
  return stages.find((stage) => stage.is_default)?.id ?? null
}

/** Editing history is no update: reminders go on as they were, and nobody is told. */
async function changed(
  ctx: Context,
  incident: Incident,
  newest?: { status: string; lifecycle_stage_id: number | null },
): Promise<void> {
  const moved = newest !== undefined && newest.status !== incident.status
  if (newest) Object.assign(incident, { status: newest.status, lifecycle_stage_id: newest.lifecycle_stage_id })
  incident.version += 1
  incident.updated_at = ctx.now
  await ctx.tx.flush()
  if (moved) await followStatuses(ctx, incident, ctx.now)
}
