import type { z } from 'zod'
import { Incident } from '../../persistence/entities/incident.ts'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { resolveItems } from '../hierarchy/references.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { repeated } from '../kernel/repeated.ts'
import { announce } from '../notifications/announce.ts'
import { requireStage, requireStatus, stagesOf, statusTypes } from '../vocabulary/lookup.ts'
import { defaultIncidentStatus, firstStage } from '../vocabulary/rules.ts'
import { presentFull } from './presenter.ts'
import { isFuture } from './rules.ts'
import { IncidentCreateRequest, IncidentResource } from './schema.ts'
import { incidentProcess } from './subject.ts'

type Input = z.output<typeof IncidentCreateRequest>

export const createIncident = operation({
  name: 'incidents.create',
  area: 'incidents',
  permission: 'write',
  summary: 'Report an incident',
  description:
    'With an `external_id` the call may be repeated: the same request answers 200 with the stored record and does nothing twice.',
  input: IncidentCreateRequest,
  output: IncidentResource,
  run: async (ctx, input) => {
    const { tx } = ctx
    const stored = await repeated(ctx, Incident, 'incident', input.external_id)
    const incident = stored ?? (await report(ctx, input))
    const [shown] = await presentFull(tx, [incident])
    return shown!
  },
})

async function report(ctx: Context, input: Input): Promise<Incident> {
  const { tx, now, page } = ctx
  const startedAt = input.started_at ? new Date(input.started_at) : now
  if (isFuture(startedAt, now)) throw invalid([{ path: 'started_at', message: 'must not lie in the future' }])
  const types = await statusTypes(tx)
  const status = input.status === undefined ? defaultIncidentStatus(types) : requireStatus(types, input.status)
  if (status === undefined) throw invalid([{ path: 'status', message: 'this page has no default: name one' }])
  const stages = await stagesOf(tx, 'incident')
  const stage = requireStage(stages, input) ?? firstStage(stages)
  const items = await resolveItems(tx, input.affected_items, 'affected_items')
  const incident = tx.create(Incident, {
    page_id: page.id,
    title: input.title,
    description: input.description,
    status,
    initial_status: status,
    impact: input.impact ?? null,
    affected_items_freetext: input.affected_items_freetext ?? null,
    lifecycle_stage_id: stage?.id ?? null,
    chat_channel_id: input.chat_channel_id ?? null,
    external_id: input.external_id ?? null,
    create_hash: ctx.requestHash,
    reminder_interval_minutes: input.reminder_interval_minutes ?? null,
    reminders_from: now,
    reminded_until: null,
    started_at: startedAt,
    acknowledged_at: null,
    resolved_at: null,
    version: 1,
    created_at: now,
    updated_at: now,
  })
  await tx.flush()
  for (const item of items) {
    tx.create(IncidentImpact, {
      page_id: page.id,
      incident_id: incident.id,
      item_id: item.id,
      status: null,
      start_time: startedAt,
      end_time: null,
    })
  }
  if (items.length > 0) await recomputeStatuses(tx, page.id, now)
  if (input.notify) announce(ctx, { key: 'incident.created', kind: 'incident', id: incident.id, natural: 'created' })
  ctx.wake(incidentProcess(incident), 'the report of the incident')
  return incident
}
