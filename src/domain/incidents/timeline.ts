import type { Incident } from '../../persistence/entities/incident.ts'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { IncidentUpdate } from '../../persistence/entities/incident-update.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { announce } from '../notifications/announce.ts'
import { requireStage, requireStatus, stagesOf, statusTypes } from '../vocabulary/lookup.ts'
import { lastStage, RESOLVED } from '../vocabulary/rules.ts'
import { presentFull, presentUpdate, stagesById } from './presenter.ts'
import { remindBefore } from './reminder.ts'
import { resolvedAtProblem } from './rules.ts'
import {
  IncidentResource,
  IncidentUpdateCreateRequest,
  IncidentUpdateResource,
  ResolveIncidentRequest,
} from './schema.ts'
import { incidentProcess, incidentSubject } from './subject.ts'

interface Entry {
  message: string
  status: string
  stageId: number | null
  at: Date
}

/** Writes a timeline entry. The incident takes over what the entry says, and its reminders start anew. */
async function addEntry(ctx: Context, incident: Incident, entry: Entry): Promise<IncidentUpdate> {
  const { tx, now, page } = ctx
  const resolves = entry.status === RESOLVED && incident.status !== RESOLVED
  const update = tx.create(IncidentUpdate, {
    page_id: page.id,
    incident_id: incident.id,
    message: entry.message,
    status: entry.status,
    previous_status: incident.status,
    is_resolution: resolves,
    lifecycle_stage_id: entry.stageId,
    created_at: entry.at,
    updated_at: now,
  })
  const moved = incident.status !== entry.status
  incident.status = entry.status
  incident.lifecycle_stage_id = entry.stageId
  incident.reminders_from = now
  incident.updated_at = now
  incident.version += 1
  await tx.flush()
  if (moved && (await tx.count(IncidentImpact, { incident_id: incident.id, end_time: null })) > 0) {
    if (resolves)
      await tx.nativeUpdate(IncidentImpact, { incident_id: incident.id, end_time: null }, { end_time: entry.at })
    await recomputeStatuses(tx, page.id, now)
  }
  return update
}

interface Resolution {
  message: string
  at: Date
  stageId?: number
  reminded: string
}

async function resolve(ctx: Context, incident: Incident, entry: Resolution) {
  const problem = resolvedAtProblem(incident.started_at, entry.at, ctx.now)
  if (problem) throw invalid([{ path: 'resolved_at', message: problem }])
  const stageId = entry.stageId ?? lastStage(await stagesOf(ctx.tx, 'incident'))?.id ?? incident.lifecycle_stage_id
  incident.resolved_at = entry.at
  const update = await addEntry(ctx, incident, {
    message: entry.message,
    status: RESOLVED,
    stageId: stageId ?? null,
    at: entry.at,
  })
  ctx.wake(incidentProcess(incident), `update ${update.id}, which resolved the incident${entry.reminded}`)
  return update
}

export const addUpdate = operation({
  name: 'incidents.updates.create',
  area: 'incidents',
  permission: 'write',
  summary: 'Post an update on an incident',
  description:
    'On a resolved incident an update is a note: an open status answers 409. The status `resolved` resolves the incident.',
  subject: incidentSubject,
  input: IncidentUpdateCreateRequest,
  output: IncidentUpdateResource,
  run: async (ctx, input, incident) => {
    const { tx, now } = ctx
    const over = incident.resolved_at !== null
    const status = input.status ?? incident.status
    if (status !== RESOLVED) requireStatus(await statusTypes(tx), status)
    if (over && status !== RESOLVED) {
      throw new Problem(
        'conflict',
        'The incident is resolved: an update on it is a note and cannot carry an open status.',
      )
    }
    const stage = requireStage(await stagesOf(tx, 'incident'), input)
    const resolves = !over && status === RESOLVED
    // What was due under the interval that was.
    const reminded = remindBefore(ctx, incident)
    if (input.impact !== undefined) incident.impact = input.impact
    if (input.reminder_interval_minutes !== undefined) {
      incident.reminder_interval_minutes = input.reminder_interval_minutes
    }
    const update = resolves
      ? await resolve(ctx, incident, { message: input.message, at: now, stageId: stage?.id, reminded })
      : await addEntry(ctx, incident, {
          message: input.message,
          status,
          stageId: stage?.id ?? incident.lifecycle_stage_id ?? null,
          at: now,
        })
    if (!resolves) ctx.wake(incidentProcess(incident), `update ${update.id}${reminded}`)
    if (input.notify) announceUpdate(ctx, incident, update)
    return presentUpdate(update, await stagesById(tx))
  },
})

export const resolveIncident = operation({
  name: 'incidents.resolve',
  area: 'incidents',
  permission: 'write',
  summary: 'Resolve an incident',
  description: 'Records a timeline entry with `is_resolution`. Resolving twice answers 200 with what is stored.',
  subject: incidentSubject,
  input: ResolveIncidentRequest,
  output: IncidentResource,
  run: async (ctx, input, incident) => {
    if (incident.resolved_at) {
      ctx.existing()
    } else {
      const at = input.resolved_at ? new Date(input.resolved_at) : ctx.now
      const message = input.resolution_message?.trim() || 'This incident has been resolved.'
      const update = await resolve(ctx, incident, { message, at, reminded: remindBefore(ctx, incident) })
      if (input.notify) announceUpdate(ctx, incident, update)
    }
    const [shown] = await presentFull(ctx.tx, [incident])
    return shown!
  },
})

function announceUpdate(ctx: Context, incident: Incident, update: IncidentUpdate): void {
  const key = update.is_resolution ? 'incident.resolved' : 'incident.updated'
  announce(ctx, {
    key,
    kind: 'incident',
    id: incident.id,
    natural: `update:${update.id}`,
    data: { update_id: update.id, status: update.status },
  })
}
