import { z } from 'zod'
import { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { view } from '../kernel/schema.ts'
import { presentCompact, presentFull } from './presenter.ts'
import { SeriesResource, seriesStatuses } from './schema.ts'
import { seriesSubject } from './subject.ts'

export const listSeries = operation({
  name: 'series.list',
  area: 'maintenance',
  permission: 'read',
  summary: 'List maintenance series, newest first',
  input: z.strictObject({ view, status: z.enum(seriesStatuses).optional(), ...pagingFields }),
  output: listOf('series', SeriesResource),
  run: async ({ tx }, { view: how, status, limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
    const only = status ? { status } : {}
    const rows = await tx.find(
      MaintenanceSeries,
      { ...only, ...(after ? { id: { $lt: after[0] } } : {}) },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    )
    const page = pageOf(rows, limit, ({ id }) => [id])
    const series = how === 'full' ? await presentFull(tx, page.rows) : page.rows.map(presentCompact)
    return { series, total: await tx.count(MaintenanceSeries, only), next_cursor: page.next_cursor }
  },
})

export const getSeries = operation({
  name: 'series.get',
  area: 'maintenance',
  permission: 'read',
  summary: 'Get a maintenance series',
  subject: seriesSubject,
  input: z.strictObject({}),
  output: SeriesResource,
  run: async ({ tx }, _input, series) => (await presentFull(tx, [series]))[0]!,
})
