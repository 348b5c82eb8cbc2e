import { z } from 'zod'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import type { Incident } from '../../persistence/entities/incident.ts'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { backfillDescription, newStretches } from '../hierarchy/history-backfill-rules.ts'
import { pathsOf, presentItemSummary } from '../hierarchy/presenter.ts'
import { requireItem } from '../hierarchy/references.ts'
import { HierarchyItemSummary, ItemRef } from '../hierarchy/schema.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, notFound, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { trackRevision } from '../kernel/revise.ts'
import {
  externalId,
  id,
  idInPath,
  moment,
  momentOut,
  notify,
  notifyInQuery,
  version,
  versionToDelete,
} from '../kernel/schema.ts'
import { notifyFrom } from '../notifications/announce.ts'
import { requireStatus, statusTypes } from '../vocabulary/lookup.ts'
import { backfillHistory, backfillUncovered, statusAtEnd } from './history-backfill.ts'
import { allows } from './policy.ts'
import { endImpact, impactEnd, impactProblem } from './rules.ts'
import { versionInWords } from './schema.ts'
import { incidentSubject } from './subject.ts'

const ComponentImpact = z
  .strictObject({
    item_id: z.int(),
    item: HierarchyItemSummary,
    status: z
      .string()
      .describe(
        'The status of the impact, or else of the incident. An ended impact keeps the status that it had at its end',
      ),
    start_time: momentOut(),
    end_time: momentOut().nullable(),
  })
  .meta({ id: 'ComponentImpact' })

const ImpactMutation = z
  .strictObject({
    incident_id: z.int(),
    item_id: z.int(),
    message: z.string(),
    version: z.int().describe(versionInWords),
  })
  .meta({ id: 'ComponentImpactMutation' })

const times = {
  start_time: moment().nullable().optional(),
  end_time: moment().nullable().optional().describe('When the impact ended; null while the impact is open'),
}
const status = () => z.string().min(1).max(50)

export const listImpacts = operation({
  name: 'incidents.impacts.list',
  area: 'incidents',
  permission: 'read',
  summary: 'List the impacts of an incident on items',
  subject: incidentSubject,
  input: z.strictObject({}),
  output: z.strictObject({ incident_id: z.int(), impacts: z.array(ComponentImpact) }).meta({ id: 'ComponentImpacts' }),
  run: async (ctx, _input, incident) => {
    const { tx } = ctx
    const impacts = await tx.find(
      IncidentImpact,
      { incident_id: incident.id },
      { orderBy: { start_time: 'asc', id: 'asc' } },
    )
    const items = await tx.find(HierarchyItem, { id: { $in: impacts.map((impact) => impact.item_id) } })
    const path = await pathsOf(tx, items)
    const byId = new Map(items.map((item) => [item.id, presentItemSummary(item, path)]))
    return {
      incident_id: incident.id,
      impacts: impacts.map((impact) => ({
        item_id: impact.item_id,
        item: byId.get(impact.item_id)!,
        status: impact.ended_status ?? impact.status ?? incident.status,
        start_time: impact.start_time.toISOString(),
        end_time: impact.end_time?.toISOString() ?? null,
      })),
    }
  },
})

export const addImpact = operation({
  name: 'incidents.impacts.create',
  area: 'incidents',
  permission: 'write',
  summary: 'Add the impact of an incident on an item',
  description: `\`item_id\` or \`item\` names the item; both must name the same item. Without a status the impact has the status of the incident. With an \`end_time\` the impact lies in the past. ${backfillDescription}`,
  subject: incidentSubject,
  input: z.strictObject({
    item_id: id().optional(),
    item: ItemRef.optional(),
    status: status().nullable().optional(),
    ...times,
    version: version().optional(),
    notify: notify(),
  }),
  output: ImpactMutation,
  run: async (ctx, input, incident) => {
    const { tx, now, page } = ctx
    const item = await requireItem(tx, { id: input.item_id, ref: input.item }, { id: 'item_id', ref: 'item' })
    await allows(ctx, incident, input.end_time ? 'impact: past' : 'impact: open')
    if (!input.end_time && (await openImpact(ctx, incident, item.id))) {
      throw new Problem('conflict', 'The incident already has an open impact on this item: change that impact.')
    }
    const impact = tx.create(IncidentImpact, {
      page_id: page.id,
      incident_id: incident.id,
      item_id: item.id,
      status: null,
      start_time: now,
      end_time: null,
      ended_status: null,
      ended_by_resolution: false,
    })
    await change(ctx, incident, impact, input)
    return mutation(incident, item.id, `The item "${item.name}" is affected.`)
  },
})

/** The operations on the open impact of an incident, where this parameter of the path names the item. */
function openImpactOperations<P extends z.ZodRawShape>(
  suffix: string,
  parameter: P,
  itemIn: (input: object) => HierarchyItemKey,
) {
  const common = { area: 'incidents' as const, permission: 'write' as const, subject: incidentSubject }
  return {
    change: operation({
      ...common,
      name: `incidents.impacts.update${suffix}`,
      summary: 'Change the open impact of an incident on an item, or end it',
      description: `A new status applies from now on; together with a new start or an end the status applies to the whole time of the impact. ${backfillDescription}`,
      input: z.strictObject({
        ...parameter,
        status: status().nullable().optional().describe('null: the status of the incident'),
        ...times,
        version: version().optional(),
        notify: notify(),
      }),
      output: ImpactMutation,
      run: async (ctx, input, incident) => {
        const impact = await requireOpenImpact(ctx, incident, itemIn(input))
        await change(ctx, incident, impact, input as unknown as ImpactChange, { ...impact })
        return mutation(incident, impact.item_id, 'The impact is changed.')
      },
    }),
    end: operation({
      ...common,
      name: `incidents.impacts.delete${suffix}`,
      summary: 'End the open impact of an incident on an item',
      description: 'The impact stays in the history of the incident, with its last status.',
      input: z.strictObject({ ...parameter, ...versionToDelete(), notify: notifyInQuery() }),
      output: ImpactMutation,
      run: async (ctx, input, incident) => {
        const impact = await requireOpenImpact(ctx, incident, itemIn(input))
        const end_time = impactEnd(impact, ctx.now).toISOString()
        await change(ctx, incident, impact, { end_time, notify: (input as { notify: boolean }).notify }, { ...impact })
        return mutation(incident, impact.item_id, 'The impact has ended.')
      },
    }),
  }
}

type HierarchyItemKey = { id: number } | { external_id: string }

export const impactById = openImpactOperations('', { item_id: idInPath() }, (input) => ({
  id: (input as { item_id: number }).item_id,
}))
export const impactByExternalId = openImpactOperations(
  '_by_external_id',
  { item_external_id: externalId() },
  (input) => ({ external_id: (input as { item_external_id: string }).item_external_id }),
)

const mutation = ({ id, version }: Incident, item_id: number, message: string) => ({
  incident_id: id,
  item_id,
  message,
  version,
})

interface ImpactChange {
  status?: string | null
  start_time?: string | null
  end_time?: string | null
  notify: boolean
}

async function change(
  ctx: Context,
  incident: Incident,
  impact: IncidentImpact,
  input: ImpactChange,
  known?: Known,
): Promise<void> {
  const { tx, now, page } = ctx
  const { notify } = input
  const work = ctx
  let changed = known
  const revise = trackRevision(
    ctx,
    incidentSubject,
    incident,
    () => changed && [changed.status, changed.start_time, changed.end_time],
  )
  if (input.status) requireStatus(await statusTypes(tx), input.status, 'status', impact.status)
  if (input.status !== undefined) impact.status = input.status
  if (input.start_time) impact.start_time = new Date(input.start_time)
  if (input.end_time) impact.end_time = new Date(input.end_time)
  const { item_id, status, start_time, end_time } = impact
  const problem = impactProblem(impact, now)
  if (problem) throw invalid([problem])
  impact.ended_by_resolution = end_time !== null && end_time.getTime() === incident.resolved_at?.getTime()
  if (end_time) endImpact(impact, end_time, await statusAtEnd(work, incident, start_time, end_time))
  changed = impact
  if (!revise()) return
  const stretches = newStretches(timesKnown(known, impact), impact, now)
  await backfillHistory(work, incident, [{ item_id, status, stretches }], { notify })
  const since = known && end_time && end_time < now ? end_time : now
  await recomputeStatuses(tx, { pageId: page.id, now, cause: { kind: 'incident', id: incident.id }, since, notify })
  await backfillUncovered(work, since, [item_id])
  if (!isNews(known, impact)) return
  const natural = `version:${incident.version}`
  notifyFrom(ctx, { key: 'incident.updated', kind: 'incident', id: incident.id, natural, notify })
}

/** An item becomes affected, is no longer affected, or is affected with another status. */
const isNews = (known: Known | undefined, { status, end_time }: Known) =>
  known ? end_time !== null || status !== known.status : end_time === null

type Known = Pick<IncidentImpact, 'status' | 'start_time' | 'end_time'>

/** A new status alone applies from now on; with new times the status applies to the whole time of the impact. */
function timesKnown(known: Known | undefined, changed: Known): Known | undefined {
  if (!known) return undefined
  const moved = changed.end_time !== null || changed.start_time.getTime() !== known.start_time.getTime()
  return moved && changed.status !== known.status ? undefined : known
}

function openImpact({ tx }: Context, incident: Incident, itemId: number): Promise<IncidentImpact | null> {
  return tx.findOne(IncidentImpact, { incident_id: incident.id, item_id: itemId, end_time: null })
}

async function requireOpenImpact(ctx: Context, incident: Incident, key: HierarchyItemKey): Promise<IncidentImpact> {
  const item = 'id' in key ? key : await ctx.tx.findOne(HierarchyItem, key)
  const impact = item && (await openImpact(ctx, incident, item.id))
  if (!impact) throw notFound('open impact')
  return impact
}
