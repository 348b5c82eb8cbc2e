import type { z } from 'zod'
import { Incident } from '../../persistence/entities/incident.ts'
import { incidentWords } from '../../persistence/vocabulary.ts'
import { backfillDescription } from '../hierarchy/history-backfill-rules.ts'
import { resolveItems } from '../hierarchy/references.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { isFuture } from '../kernel/lateness-rules.ts'
import { operation } from '../kernel/operation.ts'
import { type Defaults, findRepeated } from '../kernel/repeated.ts'
import { translateNew } from '../translations/write.ts'
import { requireStage, requireStatus } from '../vocabulary/lookup.ts'
import { defaultIncidentStatus, firstStage, RESOLVED } from '../vocabulary/rules.ts'
import { incidentDefaults, openIncident } from './open-incident.ts'
import { presentFull, presentNew } from './presenter.ts'
import { IncidentCreateRequest, IncidentResource } from './schema.ts'

type Input = z.output<typeof IncidentCreateRequest>

export const createIncident = operation({
  name: 'incidents.create',
  makes: 'incident',
  area: 'incidents',
  permission: 'write',
  summary: 'Create an incident',
  description: `With an \`external_id\` the request may be repeated: an equal request answers 200 with the stored record and changes nothing. \`started_at\` may lie in the past. ${backfillDescription}`,
  input: IncidentCreateRequest,
  output: IncidentResource,
  run: async (ctx, input) => {
    const stored = await findRepeated(ctx, Incident, 'incident', input, () => pageDefaults(ctx))
    return stored ? presented(ctx, stored) : report(ctx, input)
  },
})

/** The defaults of this page for what a request omits. */
export async function pageDefaults(ctx: Context): Promise<Defaults> {
  const { types, stages } = await incidentWords(ctx.tx)
  const stage = firstStage(stages)
  const status = defaultIncidentStatus(types)
  const ofStage = { lifecycle_stage_id: stage?.id, lifecycle_stage_name: stage?.name }
  return { ...(await incidentDefaults(ctx)), status, ...ofStage }
}

async function presented({ tx }: Context, incident: Incident) {
  const [shown] = await presentFull(tx, [incident])
  return shown!
}

const RESOLVE_LATER =
  'must not be "resolved" for a new incident: create the incident and resolve it then, or use /incidents/backfill for an incident of the past'

export async function report(ctx: Context, input: Input) {
  const { tx, now } = ctx
  const startedAt = input.started_at ? new Date(input.started_at) : now
  if (isFuture(startedAt, now)) throw invalid([{ path: 'started_at', message: 'must not lie in the future' }])
  const { types, stages } = await incidentWords(tx)
  if (input.status === RESOLVED) throw invalid([{ path: 'status', message: RESOLVE_LATER }])
  const status = input.status === undefined ? defaultIncidentStatus(types) : requireStatus(types, input.status)
  if (status === undefined) throw invalid([{ path: 'status', message: 'is required: this page has no default status' }])
  const stage = requireStage(stages, input) ?? firstStage(stages)
  const items = await resolveItems(tx, input.affected_items, 'affected_items')
  const incident = await openIncident(ctx, {
    ...input,
    status,
    lifecycle_stage_id: stage?.id ?? null,
    create_hash: ctx.createHash,
    started_at: startedAt,
    items: items.map(({ id }) => id),
  })
  await translateNew(ctx, ['incident', incident.id], input.translations)
  const plain = items.length === 0 && !input.translations?.length
  return plain ? presentNew(incident, stage) : presented(ctx, incident)
}
