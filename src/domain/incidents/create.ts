import type { z } from 'zod'
import { Incident } from '../../persistence/entities/incident.ts'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { insertRow } from '../../persistence/rows.ts'
import { incidentWords } from '../../persistence/vocabulary.ts'
import { resolveItems } from '../hierarchy/references.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { repeated } from '../kernel/repeated.ts'
import { announce } from '../notifications/announce.ts'
import { settingsOf } from '../settings/kept.ts'
import { translateNew } from '../translations/write.ts'
import { requireStage, requireStatus } from '../vocabulary/lookup.ts'
import { defaultIncidentStatus, firstStage } from '../vocabulary/rules.ts'
import { tellPast } from './past.ts'
import { newlyTold, pastInWords } from './past-rules.ts'
import { presentFull, presentNew } from './presenter.ts'
import { isFuture } from './rules.ts'
import { IncidentCreateRequest, IncidentResource } from './schema.ts'
import { incidentProcess } from './subject.ts'

type Input = z.output<typeof IncidentCreateRequest>

export const createIncident = operation({
  name: 'incidents.create',
  makes: 'incident',
  area: 'incidents',
  permission: 'write',
  summary: 'Report an incident',
  description: `With an \`external_id\` the call may be repeated: the same request answers 200 with the stored record and does nothing twice. It may have begun in the past. ${pastInWords}`,
  input: IncidentCreateRequest,
  output: IncidentResource,
  run: async (ctx, input) => {
    const stored = await repeated(ctx, Incident, 'incident', input.external_id)
    return stored ? presented(ctx, stored) : report(ctx, input)
  },
})

async function presented({ tx }: Context, incident: Incident) {
  const [shown] = await presentFull(tx, [incident])
  return shown!
}

export async function report(ctx: Context, input: Input) {
  const { tx, now, page } = ctx
  const startedAt = input.started_at ? new Date(input.started_at) : now
  if (isFuture(startedAt, now)) throw invalid([{ path: 'started_at', message: 'must not lie in the future' }])
  const { types, stages } = await incidentWords(tx)
  const status = input.status === undefined ? defaultIncidentStatus(types) : requireStatus(types, input.status)
  if (status === undefined) throw invalid([{ path: 'status', message: 'this page has no default: name one' }])
  const stage = requireStage(stages, input) ?? firstStage(stages)
  const items = await resolveItems(tx, input.affected_items, 'affected_items')
  const incident = await insertRow(tx, Incident, {
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
    reminder_interval_minutes: await intervalOf(ctx, input),
    reminders_from: now,
    reminded_until: null,
    started_at: startedAt,
    acknowledged_at: null,
    resolved_at: null,
    version: 1,
    created_at: now,
    updated_at: now,
  })
  for (const item of items) {
    tx.create(IncidentImpact, {
      page_id: page.id,
      incident_id: incident.id,
      item_id: item.id,
      status: null,
      start_time: startedAt,
      end_time: null,
      ended_by_resolution: false,
    })
  }
  if (items.length > 0) {
    const cause = { kind: 'incident', id: incident.id }
    const stretches = newlyTold(undefined, { start_time: startedAt, end_time: null }, now)
    const told = items.map(({ id }) => ({ item_id: id, status, stretches }))
    await tellPast(ctx, incident, told)
    await recomputeStatuses(tx, { pageId: page.id, now, cause })
  }
  await translateNew(ctx, ['incident', incident.id], input.translations)
  if (input.notify) announce(ctx, { key: 'incident.created', kind: 'incident', id: incident.id, natural: 'created' })
  ctx.wake(incidentProcess(incident), 'the report of the incident')
  const plain = items.length === 0 && !input.translations?.length
  return plain ? presentNew(incident, stage) : presented(ctx, incident)
}

/** The page's default, unless the report says something, be it that there is to be none. */
export async function intervalOf(
  { tx }: Context,
  { reminder_interval_minutes: said }: Pick<Input, 'reminder_interval_minutes'>,
): Promise<number | null> {
  return said === undefined ? (await settingsOf(tx)).reminder_interval_minutes : said
}
