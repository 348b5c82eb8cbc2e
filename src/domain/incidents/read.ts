import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { Incident } from '../../persistence/entities/incident.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { view } from '../kernel/schema.ts'
import { filterFields, whereOf } from './filters.ts'
import { asPublic, presentCompact, presentFull } from './presenter.ts'
import { IncidentResource, PublicIncident } from './schema.ts'
import { incidentSubject } from './subject.ts'

const listInput = z.strictObject({ view, ...filterFields, ...pagingFields })

async function newestFirst(tx: EntityManager, input: z.output<typeof listInput>) {
  const { view: wanted, limit, cursor } = input
  const after = decodeCursor(cursor, z.tuple([cursorKeys.moment, cursorKeys.id]))
  const startedAt = after && new Date(after[0])
  const only = await whereOf(tx, input)
  const behind: FilterQuery<Incident> = after
    ? { $or: [{ started_at: { $lt: startedAt } }, { started_at: startedAt, id: { $lt: after[1] } }] }
    : {}
  const rows = await tx.find(
    Incident,
    { $and: [only, behind] },
    { orderBy: [{ started_at: 'desc' }, { id: 'desc' }], limit: limit + 1 },
  )
  const total = await tx.count(Incident, only)
  const page = pageOf(rows, limit, (incident) => [incident.started_at.toISOString(), incident.id])
  const incidents = wanted === 'full' ? await presentFull(tx, page.rows) : page.rows.map(presentCompact)
  return { incidents, total, next_cursor: page.next_cursor }
}

export const listIncidents = operation({
  name: 'incidents.list',
  area: 'incidents',
  permission: 'read',
  summary: 'List incidents, newest first',
  input: listInput,
  output: listOf('incidents', IncidentResource),
  run: ({ tx }, input) => newestFirst(tx, input),
})

export const listPublicIncidents = operation({
  name: 'public.incidents.list',
  area: 'incidents',
  permission: 'public',
  summary: 'List the incidents of the page, newest first',
  input: listInput,
  output: listOf('incidents', PublicIncident),
  run: async ({ tx }, input) => {
    const list = await newestFirst(tx, input)
    return { ...list, incidents: list.incidents.map(asPublic) }
  },
})

export const getIncident = operation({
  name: 'incidents.get',
  area: 'incidents',
  permission: 'read',
  summary: 'Get an incident with its timeline',
  subject: incidentSubject,
  input: z.strictObject({}),
  output: IncidentResource,
  run: async ({ tx }, _input, incident) => (await presentFull(tx, [incident]))[0]!,
})

export const getPublicIncident = operation({
  name: 'public.incidents.get',
  area: 'incidents',
  permission: 'public',
  summary: 'Get an incident of the page with its timeline',
  subject: incidentSubject,
  input: z.strictObject({}),
  output: PublicIncident,
  run: async ({ tx }, _input, incident) => asPublic((await presentFull(tx, [incident]))[0]!),
})
