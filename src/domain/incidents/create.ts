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
import type { WorkContext } from '../kernel/work-context.ts'
import { settingsOf } from '../settings/stored.ts'
import { translateNew } from '../translations/write.ts'
import { requireStage, requireStatus } from '../vocabulary/lookup.ts'
import { defaultIncidentStatus, firstStage, RESOLVED } from '../vocabulary/rules.ts'
import { openIncident } from './open-incident.ts'
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
    const stored = await findRepeated(ctx, Incident, 'incident', input, () => defaultsOf(ctx))
    return stored ? presented(ctx, stored) : report(ctx, input)
  },
})

/** The defaults of this page for fields that a request omits. */
async function defaultsOf({ tx }: Context): Promise<Defaults> {
  const { types, stages } = await incidentWords(tx)
  const stage = firstStage(stages)
  const { reminder_interval_minutes } = await settingsOf(tx)
  return {
    ...{ description: '', status: defaultIncidentStatus(types), reminder_interval_minutes },
    ...{ lifecycle_stage_id: stage?.id, lifecycle_stage_name: stage?.name },
  }
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
    title: input.title,
    description: input.description,
    status,
    impact: input.impact ?? null,
    affected_items_freetext: input.affected_items_freetext ?? null,
    lifecycle_stage_id: stage?.id ?? null,
    chat_channel_id: input.chat_channel_id ?? null,
    external_id: input.external_id ?? null,
    create_hash: ctx.createHash,
    reminder_interval_minutes: await intervalOf(ctx, input),
    started_at: startedAt,
    items: items.map(({ id }) => id),
    notify: input.notify,
  })
  await translateNew(ctx, ['incident', incident.id], input.translations)
  const plain = items.length === 0 && !input.translations?.length
  return plain ? presentNew(incident, stage) : presented(ctx, incident)
}

/** The interval of the request, which may be null for none, or else the default of the page. */
export async function intervalOf(
  { tx }: Pick<WorkContext, 'tx'>,
  { reminder_interval_minutes: requested }: { reminder_interval_minutes?: number | null },
): Promise<number | null> {
  return requested === undefined ? (await settingsOf(tx)).reminder_interval_minutes : requested
}
