import { z } from 'zod'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import type { Incident } from '../../persistence/entities/incident.ts'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { pathsOf, presentItemSummary } from '../hierarchy/presenter.ts'
import { resolveItem } from '../hierarchy/references.ts'
import { HierarchyItemSummary } from '../hierarchy/schema.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, notFound, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { revising } from '../kernel/revise.ts'
import { sceneOf } from '../kernel/scene.ts'
import { id, idInPath, moment, momentOut, version, versionToDelete } from '../kernel/schema.ts'
import { requireStatus, statusTypes } from '../vocabulary/lookup.ts'
import { lastOpenStatus } from './edit.ts'
import { tellHidden, tellPast } from './past.ts'
import { newlyTold, pastInWords } from './past-rules.ts'
import { allows } from './policy.ts'
import { impactEnd, impactProblem } from './rules.ts'
import { incidentSubject } from './subject.ts'

const ComponentImpact = z
  .strictObject({
    item_id: z.int(),
    item: HierarchyItemSummary,
    status: z
      .string()
      .describe('Its own, or the one of the incident that it follows: its last open one, if it is resolved'),
    start_time: momentOut(),
    end_time: momentOut().nullable(),
  })
  .meta({ id: 'ComponentImpact' })

const ImpactMutation = z
  .strictObject({ incident_id: z.int(), item_id: z.int(), message: z.string() })
  .meta({ id: 'ComponentImpactMutation' })

const times = {
  start_time: moment().nullable().optional(),
  end_time: moment().nullable().optional().describe('When the impact ended; null while it goes on'),
}
const status = () => z.string().min(1).max(50)

export const listImpacts = operation({
  name: 'incidents.impacts.list',
  area: 'incidents',
  permission: 'read',
  summary: 'List which items an incident held down, and when',
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
    const followed = incident.resolved_at ? await lastOpenStatus(ctx, incident) : incident.status
    const byId = new Map(items.map((item) => [item.id, presentItemSummary(item, path)]))
    return {
      incident_id: incident.id,
      impacts: impacts.map((impact) => ({
        item_id: impact.item_id,
        item: byId.get(impact.item_id)!,
        status: impact.status ?? followed,
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
  description: `Without a status it follows the incident’s. With an \`end_time\` it is a stretch of the past. ${pastInWords}`,
  subject: incidentSubject,
  input: z.strictObject({
    item_id: id(),
    status: status().nullable().optional(),
    ...times,
    version: version().optional(),
  }),
  output: ImpactMutation,
  run: async (ctx, input, incident) => {
    const { tx, now, page } = ctx
    const item = await resolveItem(tx, input.item_id, 'item_id')
    await allows(ctx, incident, input.end_time ? 'impact: past' : 'impact: open')
    if (!input.end_time && (await openImpact(ctx, incident, input.item_id))) {
      throw new Problem('conflict', 'There is an open impact on this item already: change that one.')
    }
    const impact = tx.create(IncidentImpact, {
      page_id: page.id,
      incident_id: incident.id,
      item_id: input.item_id,
      status: null,
      start_time: now,
      end_time: null,
      ended_by_resolution: false,
    })
    await change(ctx, incident, impact, input)
    return { incident_id: incident.id, item_id: input.item_id, message: `"${item.name}" is affected.` }
  },
})

export const changeImpact = operation({
  name: 'incidents.impacts.update',
  area: 'incidents',
  permission: 'write',
  summary: 'Change the open impact of an incident on an item, or end it',
  description: `Another status holds from now on; together with another start or an end it is told of the whole time. ${pastInWords}`,
  subject: incidentSubject,
  input: z.strictObject({
    item_id: idInPath(),
    status: status().nullable().optional().describe('null follows the incident’s again'),
    ...times,
    version: version().optional(),
  }),
  output: ImpactMutation,
  run: async (ctx, input, incident) => {
    const impact = await requireOpenImpact(ctx, incident, input.item_id)
    await change(ctx, incident, impact, input, { ...impact })
    return { incident_id: incident.id, item_id: input.item_id, message: 'The impact is changed.' }
  },
})

export const endImpact = operation({
  name: 'incidents.impacts.delete',
  area: 'incidents',
  permission: 'write',
  summary: 'End the open impact of an incident on an item',
  description: 'It stays in the history of the incident.',
  subject: incidentSubject,
  input: z.strictObject({ item_id: idInPath(), ...versionToDelete() }),
  output: ImpactMutation,
  run: async (ctx, input, incident) => {
    const impact = await requireOpenImpact(ctx, incident, input.item_id)
    await change(ctx, incident, impact, { end_time: impactEnd(impact, ctx.now).toISOString() }, { ...impact })
    return { incident_id: incident.id, item_id: input.item_id, message: 'The impact has ended.' }
  },
})

interface ImpactChange {
  status?: string | null
  start_time?: string | null
  end_time?: string | null
}

async function change(
  ctx: Context,
  incident: Incident,
  impact: IncidentImpact,
  input: ImpactChange,
  known?: Known,
): Promise<void> {
  const { tx, now, page } = ctx
  let told = known
  const revise = revising(ctx, incidentSubject, incident, () => told && [told.status, told.start_time, told.end_time])
  if (input.status) requireStatus(await statusTypes(tx), input.status, 'status', impact.status)
  if (input.status !== undefined) impact.status = input.status
  if (input.start_time) impact.start_time = new Date(input.start_time)
  if (input.end_time) impact.end_time = new Date(input.end_time)
  const { item_id, status, end_time } = impact
  const problem = impactProblem(impact, now)
  if (problem) throw invalid([problem])
  impact.ended_by_resolution = end_time !== null && end_time.getTime() === incident.resolved_at?.getTime()
  told = impact
  if (!revise()) return
  await tellPast(sceneOf(ctx), incident, [
    { item_id, status, stretches: newlyTold(timesKnown(known, impact), impact, now) },
  ])
  const since = known && end_time && end_time < now ? end_time : now
  await recomputeStatuses(tx, { pageId: page.id, now, cause: { kind: 'incident', id: incident.id }, since })
  await tellHidden(sceneOf(ctx), since, [item_id])
}

type Known = Pick<IncidentImpact, 'status' | 'start_time' | 'end_time'>

/** Another status alone holds from now on; with other times it is told of all of them. */
function timesKnown(known: Known | undefined, told: Known): Known | undefined {
  if (!known) return undefined
  const moved = told.end_time !== null || told.start_time.getTime() !== known.start_time.getTime()
  return moved && told.status !== known.status ? undefined : known
}

function openImpact({ tx }: Context, incident: Incident, itemId: number): Promise<IncidentImpact | null> {
  return tx.findOne(IncidentImpact, { incident_id: incident.id, item_id: itemId, end_time: null })
}

async function requireOpenImpact(ctx: Context, incident: Incident, itemId: number): Promise<IncidentImpact> {
  const impact = await openImpact(ctx, incident, itemId)
  if (!impact) throw notFound('open impact')
  return impact
}
