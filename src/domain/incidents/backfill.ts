import type { z } from 'zod'
import { Incident } from '../../persistence/entities/incident.ts'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { IncidentUpdate } from '../../persistence/entities/incident-update.ts'
import { backfillDescription, newStretches } from '../hierarchy/history-backfill-rules.ts'
import { resolveItems } from '../hierarchy/references.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { defaultsOf, newValues } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { findRepeated } from '../kernel/repeated.ts'
import { translateNew } from '../translations/write.ts'
import { requireStage, requireStatus, stagesOf, statusTypes } from '../vocabulary/lookup.ts'
import { defaultIncidentStatus, firstStage, lastStage, RESOLVED } from '../vocabulary/rules.ts'
import { clampToNow, type History, historyProblems, timelineOf } from './backfill-rules.ts'
import { IncidentBackfillRequest } from './backfill-schema.ts'
import { incidentFields } from './fields.ts'
import { backfillHistory } from './history-backfill.ts'
import { presentFull } from './presenter.ts'
import { creationOf, reminderWords } from './reminder.ts'
import { IncidentResource } from './schema.ts'

type Input = z.output<typeof IncidentBackfillRequest>

export const backfillIncident = operation({
  name: 'incidents.backfill',
  makes: 'incident',
  area: 'incidents',
  permission: 'write',
  summary: 'Create an incident of the past with its whole history',
  description: `All times stay as the request names them. No notification is written and no policy of the page applies. ${backfillDescription} Reminders of an open incident start now if the request names an interval. \`external_id\` works as in a create.`,
  input: IncidentBackfillRequest,
  output: IncidentResource,
  run: async (ctx, input) => {
    const stored = await findRepeated(ctx, Incident, 'incident', { ...input, backfilled: true }, defaults)
    return (await presentFull(ctx.tx, [stored ?? (await backfill(ctx, input))]))[0]!
  },
})

const defaults = () => defaultsOf(incidentFields, { reminder_interval_minutes: null })

async function backfill(ctx: Context, input: Input): Promise<Incident> {
  const { tx, now, page } = ctx
  const history = historyOf(input, now)
  const initial = await initialStatus(ctx, input)
  const { entries, status, resolved_at, last_at } = timelineOf(history, initial)
  const stages = await stageIds(ctx, input, resolved_at !== null)
  const items = await resolveItems(tx, input.affected_items, 'affected_items')
  const incident = tx.create(Incident, {
    page_id: page.id,
    ...newValues(incidentFields, input, defaults()),
    status,
    initial_status: initial,
    lifecycle_stage_id: stages.final,
    external_id: input.external_id ?? null,
    create_hash: ctx.createHash,
    reminders_from: now,
    quiet_from: now,
    alerted_for: null,
    reminded_until: null,
    started_at: history.started_at,
    acknowledged_at: history.acknowledged_at ?? null,
    resolved_at,
    version: 1,
    created_at: history.started_at,
    updated_at: last_at,
  })
  await tx.flush()
  const of = { page_id: page.id, incident_id: incident.id }
  for (const entry of entries) {
    const lifecycle_stage_id = entry.is_resolution ? stages.final : stages.before
    const stage = { lifecycle_stage_id, previous_lifecycle_stage_id: stages.before }
    tx.create(IncidentUpdate, { ...of, ...entry, ...stage, updated_at: entry.created_at })
  }
  const time = { start_time: history.started_at, end_time: resolved_at, ended_by_resolution: resolved_at !== null }
  const ended_status = resolved_at
    ? (entries.findLast((entry) => entry.is_resolution)?.previous_status ?? initial)
    : null
  for (const { id } of items) tx.create(IncidentImpact, { ...of, item_id: id, status: null, ended_status, ...time })
  const stretches = newStretches(undefined, time, now)
  const impacts = items.map(({ id }) => ({ item_id: id, status: null, stretches }))
  await backfillHistory(ctx, incident, impacts, { notify: false })
  const cause = { kind: 'incident', id: incident.id }
  if (!resolved_at && items.length > 0) await recomputeStatuses(tx, { pageId: page.id, now, cause, notify: false })
  await translateNew(ctx, ['incident', incident.id], input.translations)
  if (!resolved_at)
    ctx.wake({ kind: 'incident', id: incident.id }, `${creationOf(incident)}${reminderWords(ctx, incident)}`)
  return incident
}

function historyOf({ started_at, acknowledged_at, resolved_at, updates }: Input, now: Date): History {
  const requested = {
    started_at: new Date(started_at),
    acknowledged_at: acknowledged_at ? new Date(acknowledged_at) : undefined,
    resolved_at: resolved_at ? new Date(resolved_at) : undefined,
    updates: updates.map((update) => ({ ...update, created_at: new Date(update.created_at) })),
  }
  const problems = historyProblems(requested, now)
  if (problems.length > 0) throw invalid(problems)
  return clampToNow(requested, now)
}

/** The lifecycle stage of the incident, and the stage before its resolution. */
async function stageIds({ tx }: Context, input: Input, resolved: boolean) {
  const stages = await stagesOf(tx, 'incident')
  const first = firstStage(stages)
  const final = requireStage(stages, input) ?? (resolved ? lastStage(stages) : first)
  return { final: final?.id ?? null, before: (resolved ? first : final)?.id ?? null }
}

async function initialStatus({ tx }: Context, { status, updates }: Input): Promise<string> {
  const types = await statusTypes(tx)
  for (const [index, update] of updates.entries()) {
    if (update.status && update.status !== RESOLVED) requireStatus(types, update.status, `updates.${index}.status`)
  }
  const initial = status === undefined ? defaultIncidentStatus(types) : requireStatus(types, status)
  if (initial === undefined)
    throw invalid([{ path: 'status', message: 'is required: this page has no default status' }])
  return initial
}
