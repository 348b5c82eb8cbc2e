import { LockMode } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import type { Context } from '../kernel/context.ts'
import { notFound, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, encodeCursor } from '../kernel/paging.ts'
import { sceneOf } from '../kernel/scene.ts'
import { idInPath, moment, text, version } from '../kernel/schema.ts'
import { post } from '../maintenances/entry.ts'
import { maintenanceProcess } from '../maintenances/subject.ts'
import { makeWindows } from './generate.ts'
import { endOf, monthsFrom, type Planned, planned } from './plan.ts'
import { presentOccurrences, presentPlanned } from './presenter.ts'
import { Occurrence, Occurrences } from './schema.ts'
import { seriesProcess, seriesSubject } from './subject.ts'

const MONTHS_SHOWN = 12
const FARTHEST = 20_000

export const listOccurrences = operation({
  name: 'series.occurrences.list',
  area: 'maintenance',
  permission: 'read',
  summary: 'List the occurrences of a series, by index: those that have windows, were skipped, or are planned',
  subject: seriesSubject,
  input: z.strictObject({
    from: moment().optional().describe('Only those whose original start is then or later'),
    until: moment().optional().describe('Only those whose original start is before then; twelve months on when absent'),
    limit: z.coerce.number().int().min(1).max(500).default(100),
    cursor: z.string().max(500).optional().describe('The `next_cursor` of the answer before'),
  }),
  output: Occurrences,
  run: async ({ tx, now }, input, series) => {
    const [after = 0] = decodeCursor(input.cursor, z.tuple([cursorKeys.order])) ?? []
    const until = input.until ? new Date(input.until) : monthsFrom(now, MONTHS_SHOWN)
    const from = input.from ? new Date(input.from) : new Date(0)
    const within = (at: Date) => at >= from && at < until
    const where = { series_id: series.id, number: { $gt: after } }
    const known = await tx.find(MaintenanceOccurrence, where, { orderBy: { number: 'asc' } })
    const rows = known.filter((row) => within(row.original_start_time))
    const taken = new Set(known.map(({ number }) => number))
    const plan = series.status === 'ended' ? [] : planned(series, { until, limit: FARTHEST })
    const ahead = plan.filter((one) => one.number > after && !taken.has(one.number) && one.ends_at > now)
    const shown = ahead.filter((one) => within(one.starts_at))
    const wanted = new Set(numbersOf(rows, shown).slice(0, input.limit + 1))
    const all = [
      ...(await presentOccurrences(
        tx,
        series,
        rows.filter(({ number }) => wanted.has(number)),
      )),
      ...shown.filter(({ number }) => wanted.has(number)).map(presentPlanned),
    ].sort((a, b) => a.index - b.index)
    const occurrences = all.slice(0, input.limit)
    const more = all.length > input.limit
    return { occurrences, next_cursor: more ? encodeCursor([occurrences.at(-1)!.index]) : undefined }
  },
})

const numbersOf = (...lists: { number: number }[][]) =>
  lists.flatMap((list) => list.map(({ number }) => number)).sort((a, b) => a - b)

const named = z.strictObject({ index: idInPath() })

export const skipOccurrence = operation({
  name: 'series.occurrences.skip',
  area: 'maintenance',
  permission: 'write',
  summary: 'Skip an occurrence of a series',
  description: 'One that has a window is cancelled. Skipping twice answers 200 with what is stored.',
  subject: seriesSubject,
  input: named.extend({
    reason: text(2000).optional(),
    version: version().optional(),
    notify: z.boolean().default(true).describe('`false` tells nobody that its window is cancelled'),
  }),
  output: Occurrence,
  run: async (ctx, { index, reason, notify }, series) => {
    const { tx, page } = ctx
    const { row, plan } = await occurrenceOf(ctx, series, index)
    if (row?.skipped) {
      ctx.existing()
      return (await presentOccurrences(tx, series, [row]))[0]!
    }
    // Locked: it may be starting at this moment.
    const ours = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
    const window = row?.maintenance_id ? await tx.findOne(Maintenance, { id: row.maintenance_id }, ours) : null
    // Whoever held it before may have deleted it, and the occurrence knows.
    if (row) await tx.refresh(row)
    if (window && window.status !== 'scheduled') {
      throw new Problem('conflict', `Occurrence ${index} is ${window.status}: only what is still to come is skipped.`)
    }
    if (series.status === 'ended' && !row) throw notFound('occurrence')
    const skipped = { skipped: true, skip_reason: reason?.trim() || null }
    const who = { page_id: page.id, series_id: series.id, number: index }
    const kept =
      row ??
      tx.create(MaintenanceOccurrence, {
        ...who,
        ...{ original_start_time: plan!.starts_at, maintenance_id: null, edited: false, dropped: false },
        ...skipped,
      })
    Object.assign(kept, skipped)
    if (window) {
      await post(sceneOf(ctx), window, { status: 'cancelled', notify })
      ctx.wake(maintenanceProcess(window), `occurrence ${index} of series ${series.id} is skipped`)
    }
    await revise(ctx, series, `occurrence ${index} is skipped`)
    return (await presentOccurrences(tx, series, [kept]))[0]!
  },
})

export const unskipOccurrence = operation({
  name: 'series.occurrences.unskip',
  area: 'maintenance',
  permission: 'write',
  summary: 'Take back that an occurrence is skipped',
  description: 'Its window is made anew, as the series has it. One that would be over already answers 409.',
  subject: seriesSubject,
  input: named.extend({ version: version().optional() }),
  output: Occurrence,
  run: async (ctx, { index }, series) => {
    const { tx, now } = ctx
    const { row, plan } = await occurrenceOf(ctx, series, index)
    if (!row?.skipped) {
      ctx.existing()
      return row ? (await presentOccurrences(tx, series, [row]))[0]! : presentPlanned(plan!)
    }
    if (series.status === 'ended') throw new Problem('conflict', 'The series has ended: it makes no windows any more.')
    const starts_at = row.original_start_time
    const again = {
      number: index,
      starts_at,
      ends_at: endOf(series, starts_at),
    }
    if (again.ends_at <= now) throw new Problem('conflict', `Occurrence ${index} would be over already.`)
    // Its old window was cancelled, and is none of the series any more: the new one is.
    if (row.maintenance_id) await tx.nativeUpdate(Maintenance, { id: row.maintenance_id }, { series_id: null })
    tx.remove(row)
    await revise(ctx, series, `occurrence ${index} is not skipped any more`)
    if (starts_at >= series.settled_until) return presentPlanned(again)
    await makeWindows(sceneOf(ctx), series, [again])
    const made = await tx.findOneOrFail(MaintenanceOccurrence, { series_id: series.id, number: index })
    return (await presentOccurrences(tx, series, [made]))[0]!
  },
})

/** The occurrence with this index: one that has a row, or one that is planned. */
async function occurrenceOf(
  { tx }: Context,
  series: MaintenanceSeries,
  number: number,
): Promise<{ row?: MaintenanceOccurrence; plan?: Planned }> {
  const row = await tx.findOne(MaintenanceOccurrence, { series_id: series.id, number })
  if (row) return { row }
  const ahead = number - series.next_index
  const plan = ahead < 0 || ahead >= FARTHEST ? undefined : planned(series, { limit: ahead + 1 }).at(ahead)
  if (!plan || series.status === 'ended') throw notFound('occurrence')
  return { plan }
}

async function revise(ctx: Context, series: MaintenanceSeries, why: string): Promise<void> {
  series.version += 1
  series.updated_at = ctx.now
  ctx.wake(seriesProcess(series), why)
  await ctx.tx.flush()
}
