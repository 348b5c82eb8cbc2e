import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { Incident } from '../../persistence/entities/incident.ts'
import { plainRows } from '../../persistence/rows.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { view } from '../kernel/schema.ts'
import { type Reading, readingIn } from '../translations/languages.ts'
import { languageInWords, readIn } from '../translations/schema.ts'
import { filterFields, whereOf } from './filters.ts'
import { withReports } from './postmortem-presenter.ts'
import { presentCompact, presentFull, presentPublic, presentPublicCompact } from './presenter.ts'
import { IncidentResource, PublicIncident } from './schema.ts'
import { incidentSubject } from './subject.ts'

const listInput = z.strictObject({ view, ...filterFields, ...pagingFields })

async function newestFirst(tx: EntityManager, input: z.output<typeof listInput>, readers: { translated: boolean }) {
  const { limit, cursor } = input
  const after = decodeCursor(cursor, z.tuple([cursorKeys.moment, cursorKeys.id]))
  const startedAt = after && new Date(after[0])
  const only = await whereOf(tx, input, readers)
  const behind: FilterQuery<Incident> = after
    ? { $or: [{ started_at: { $lt: startedAt } }, { started_at: startedAt, id: { $lt: after[1] } }] }
    : {}
  const rows = await plainRows(
    tx,
    Incident,
    { $and: [only, behind] },
    { orderBy: [{ started_at: 'desc' }, { id: 'desc' }], limit: limit + 1 },
  )
  const total = await tx.count(Incident, only)
  const page = pageOf(rows, limit, (incident) => [incident.started_at.toISOString(), incident.id])
  return { rows: page.rows, total, next_cursor: page.next_cursor }
}

export const listIncidents = operation({
  name: 'incidents.list',
  area: 'incidents',
  permission: 'read',
  summary: 'List incidents, newest first',
  input: listInput,
  output: listOf('incidents', IncidentResource),
  run: async ({ tx }, input) => {
    const { rows, ...list } = await newestFirst(tx, input, { translated: true })
    const incidents = input.view === 'full' ? await presentFull(tx, rows) : rows.map(presentCompact)
    return { incidents, ...list }
  },
})

export const listPublicIncidents = operation({
  name: 'public.incidents.list',
  area: 'incidents',
  permission: 'public',
  summary: 'List the incidents of the page, newest first',
  description: languageInWords,
  input: listInput.extend(readIn),
  output: listOf('incidents', PublicIncident),
  run: async ({ tx }, input) => {
    const reading = await readingIn(tx, input.locale)
    const { rows, ...list } = await newestFirst(tx, input, reading)
    const present = input.view === 'full' ? presentPublicFull : presentPublicCompact
    return { incidents: await present(tx, rows, reading), ...list }
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
  description: languageInWords,
  subject: incidentSubject,
  input: z.strictObject(readIn),
  output: PublicIncident,
  run: async ({ tx }, { locale }, incident) =>
    (await presentPublicFull(tx, [incident], await readingIn(tx, locale)))[0]!,
})

async function presentPublicFull(tx: EntityManager, incidents: Incident[], reading: Reading) {
  return withReports(tx, await presentPublic(tx, incidents, reading), reading)
}
