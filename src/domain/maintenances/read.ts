import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { view } from '../kernel/schema.ts'
import { readingIn } from '../translations/languages.ts'
import { languageInWords, readIn } from '../translations/schema.ts'
import { filterFields, whereOf } from './filters.ts'
import { presentCompact, presentFull, presentPublic, presentPublicCompact } from './presenter.ts'
import { MaintenanceResource, PublicMaintenance } from './schema.ts'
import { maintenanceSubject } from './subject.ts'

const listInput = z.strictObject({ view, ...filterFields, ...pagingFields })

async function latestFirst(tx: EntityManager, input: z.output<typeof listInput>, reader: { translated: boolean }) {
  const { limit, cursor } = input
  const after = decodeCursor(cursor, z.tuple([cursorKeys.moment, cursorKeys.id]))
  const listedAt = after && new Date(after[0])
  const only = await whereOf(tx, input, reader)
  const behind: FilterQuery<Maintenance> = after
    ? { $or: [{ listed_at: { $lt: listedAt } }, { listed_at: listedAt, id: { $lt: after[1] } }] }
    : {}
  const rows = await tx.find(
    Maintenance,
    { $and: [only, behind] },
    { orderBy: [{ listed_at: 'desc' }, { id: 'desc' }], limit: limit + 1 },
  )
  const page = pageOf(rows, limit, (maintenance) => [maintenance.listed_at.toISOString(), maintenance.id])
  return { rows: page.rows, total: await tx.count(Maintenance, only), next_cursor: page.next_cursor }
}

export const listMaintenances = operation({
  name: 'maintenances.list',
  area: 'maintenance',
  permission: 'read',
  summary: 'List maintenances, latest scheduled start first',
  input: listInput,
  output: listOf('maintenances', MaintenanceResource),
  run: async ({ tx }, input) => {
    const { rows, ...list } = await latestFirst(tx, input, { translated: true })
    const maintenances = input.view === 'full' ? await presentFull(tx, rows) : rows.map(presentCompact)
    return { maintenances, ...list }
  },
})

export const listPublicMaintenances = operation({
  name: 'public.maintenances.list',
  area: 'maintenance',
  permission: 'public',
  summary: 'List the maintenances of the page, latest scheduled start first',
  description: languageInWords,
  input: listInput.extend(readIn),
  output: listOf('maintenances', PublicMaintenance),
  run: async ({ tx }, input) => {
    const reading = await readingIn(tx, input.locale)
    const { rows, ...list } = await latestFirst(tx, input, reading)
    const present = input.view === 'full' ? presentPublic : presentPublicCompact
    return { maintenances: await present(tx, rows, reading), ...list }
  },
})

export const getMaintenance = operation({
  name: 'maintenances.get',
  area: 'maintenance',
  permission: 'read',
  summary: 'Get a maintenance with its timeline',
  subject: maintenanceSubject,
  input: z.strictObject({}),
  output: MaintenanceResource,
  run: async ({ tx }, _input, maintenance) => (await presentFull(tx, [maintenance]))[0]!,
})

export const getPublicMaintenance = operation({
  name: 'public.maintenances.get',
  area: 'maintenance',
  permission: 'public',
  summary: 'Get a maintenance of the page with its timeline',
  description: languageInWords,
  subject: maintenanceSubject,
  input: z.strictObject(readIn),
  output: PublicMaintenance,
  run: async ({ tx }, { locale }, maintenance) =>
    (await presentPublic(tx, [maintenance], await readingIn(tx, locale)))[0]!,
})
