import { LockMode } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, notFound, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, encodeCursor } from '../kernel/paging.ts'
import { idInPath, moment, text, version } from '../kernel/schema.ts'
import { named } from '../kernel/text-rules.ts'
import { writeUpdate } from '../maintenances/add-update.ts'
import { makeWindows, skippedAhead } from './generate.ts'
import { endOf, MOST_AHEAD, monthsFrom, type Planned, planned, upcoming } from './plan.ts'
import { presentOccurrences, presentPlanned } from './presenter.ts'
import { Occurrence, Occurrences } from './schema.ts'
import { seriesSubject } from './subject.ts'

const MONTHS_SHOWN = 12

export const listOccurrences = operation({
  name: 'series.occurrences.list',
  area: 'maintenance',
  permission: 'read',
  summary: 'List the occurrences of a series by index: with windows, skipped, and planned',
  subject: seriesSubject,
  input: z.strictObject({
    from: moment().optional().describe('Only occurrences with an original start at this time or later'),
    until: moment()
      .optional()
      .describe(
        `Only occurrences with an original start before this time. Absent: twelve months from now. At most ${MOST_AHEAD} occurrences after the next window to be created, else 400`,
      ),
    limit: z.coerce.number().int().min(1).max(500).default(100),
    cursor: z.string().max(500).optional().describe('The `next_cursor` of the previous answer'),
  }),
  output: Occurrences,
  run: async ({ tx, now }, input, series) => {
    const [after = 0] = decodeCursor(input.cursor, z.tuple([cursorKeys.order])) ?? []
    const until = input.until ? new Date(input.until) : monthsFrom(now, MONTHS_SHOWN)
    const from = input.from ? new Date(input.from) : new Date(0)
    const rows = await tx.find(
      MaintenanceOccurrence,
      { series_id: series.id, number: { $gt: after }, original_start_time: { $gte: from, $lt: until } },
      { orderBy: { number: 'asc' }, limit: input.limit + 1 },
    )
    const skipped = new Set((await skippedAhead({ tx }, series)).map(({ number }) => number))
    const isShown = ({ number, starts_at, ends_at }: Planned) =>
      number > after && !skipped.has(number) && starts_at >= from && ends_at > now
    const ahead = series.status === 'ended' ? [] : aheadOf(series, { until, limit: input.limit + 1, isShown })
    const all = [...(await presentOccurrences(tx, series, rows)), ...ahead.map(presentPlanned)].sort(
      (a, b) => a.index - b.index,
    )
    const occurrences = all.slice(0, input.limit)
    const more = all.length > input.limit
    return { occurrences, next_cursor: more ? encodeCursor([occurrences.at(-1)!.index]) : undefined }
  },
})

interface Ahead {
  until: Date
  limit: number
  isShown(one: Planned): boolean
}

/** The planned occurrences without a window. */
function aheadOf(series: MaintenanceSeries, { until, limit, isShown }: Ahead): Planned[] {
  const found: Planned[] = []
  for (const one of upcoming(series, until)) {
    if (one.number - series.next_index >= MOST_AHEAD) throw invalid([{ path: 'until', message: tooFar(series, one) }])
    if (!isShown(one)) continue
    found.push(one)
    if (found.length === limit) break
  }
  return found
}

const tooFar = ({ next_index }: MaintenanceSeries, { starts_at }: Planned) =>
  `reaches ${starts_at.toISOString()}, more than ${MOST_AHEAD} occurrences after the next occurrence to be created, ${next_index}: name an earlier time`

const withIndex = z.strictObject({ index: idInPath() })

export const skipOccurrence = operation({
  name: 'series.occurrences.skip',
  area: 'maintenance',
  permission: 'write',
  summary: 'Skip an occurrence of a series',
  description:
    'The window of the occurrence is cancelled if there is one. Skipping twice answers 200 with the stored occurrence.',
  subject: seriesSubject,
  input: withIndex.extend({
    reason: text(2000).optional(),
    version: version().optional(),
    notify: z.boolean().default(true).describe('`false`: no notification of the cancelled window'),
  }),
  output: Occurrence,
  run: async (ctx, { index, reason, notify }, series) => {
    const { tx, page } = ctx
    const { row, plan } = await occurrenceOf(ctx, series, index)
    if (row?.skipped) {
      ctx.existing()
      return (await presentOccurrences(tx, series, [row]))[0]!
    }
    // The lock waits for a start of the window at this moment.
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
    const window = row?.maintenance_id ? await tx.findOne(Maintenance, { id: row.maintenance_id }, locked) : null
    // The previous holder of the lock may have deleted the window.
    if (row) await tx.refresh(row)
    if (window && window.status !== 'scheduled') {
      throw new Problem(
        'conflict',
        `Occurrence ${index} is ${window.status}: only a scheduled occurrence can be skipped.`,
      )
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
      await writeUpdate(ctx, window, { status: 'cancelled', notify })
      ctx.wake(
        { kind: 'maintenance', id: window.id },
        `the skip of occurrence ${index} of series ${named(series.title, series.id)}, which cancelled the maintenance`,
      )
    }
    const cancelled = window ? `, which cancelled maintenance ${window.id}` : ''
    await revise(ctx, series, `the skip of occurrence ${index}${cancelled}`)
    return (await presentOccurrences(tx, series, [kept]))[0]!
  },
})

export const unskipOccurrence = operation({
  name: 'series.occurrences.unskip',
  area: 'maintenance',
  permission: 'write',
  summary: 'Undo the skip of an occurrence',
  description:
    'The window is created again by the schedule of the series. An occurrence that would be over answers 409. An occurrence that was cancelled or deleted in another way was not skipped and answers 409.',
  subject: seriesSubject,
  input: withIndex.extend({ version: version().optional() }),
  output: Occurrence,
  run: async (ctx, { index }, series) => {
    const { tx, now } = ctx
    const { row, plan } = await occurrenceOf(ctx, series, index)
    if (!row) {
      ctx.existing()
      return presentPlanned(plan!)
    }
    if (!row.skipped) {
      const [stored] = await presentOccurrences(tx, series, [row])
      if (stored!.status === 'cancelled') throw new Problem('conflict', notSkipped(row))
      ctx.existing()
      return stored!
    }
    if (series.status === 'ended') throw new Problem('conflict', 'The series has ended and creates no more windows.')
    const starts_at = row.original_start_time
    const again = {
      number: index,
      starts_at,
      ends_at: endOf(series, starts_at),
    }
    if (again.ends_at <= now) throw new Problem('conflict', `Occurrence ${index} would already be over.`)
    // The cancelled window leaves the series, because the new window takes its place.
    if (row.maintenance_id) await tx.nativeUpdate(Maintenance, { id: row.maintenance_id }, { series_id: null })
    tx.remove(row)
    await revise(ctx, series, `the undone skip of occurrence ${index}`)
    if (starts_at >= series.settled_until) return presentPlanned(again)
    await makeWindows(ctx, series, [again])
    const made = await tx.findOneOrFail(MaintenanceOccurrence, { series_id: series.id, number: index })
    return (await presentOccurrences(tx, series, [made]))[0]!
  },
})

/** Why an occurrence that has no window and was not skipped cannot be unskipped. */
function notSkipped({ number, dropped, maintenance_id: id }: MaintenanceOccurrence): string {
  if (dropped)
    return `Occurrence ${number} was not skipped: the new schedule of the series has no place for the occurrence.`
  const what = id === null ? 'its maintenance was deleted' : `its maintenance ${id} was cancelled`
  return `Occurrence ${number} was not skipped: ${what}. Create another maintenance for that time.`
}

/** The occurrence with this index, stored or planned. */
async function occurrenceOf(
  { tx }: Context,
  series: MaintenanceSeries,
  number: number,
): Promise<{ row?: MaintenanceOccurrence; plan?: Planned }> {
  const row = await tx.findOne(MaintenanceOccurrence, { series_id: series.id, number })
  if (row) return { row }
  const ahead = number - series.next_index
  if (ahead >= MOST_AHEAD && series.status !== 'ended') {
    const message = `lies more than ${MOST_AHEAD} occurrences after the next occurrence to be created, ${series.next_index}`
    throw invalid([{ path: 'index', message }])
  }
  const plan = ahead < 0 ? undefined : planned(series, { limit: ahead + 1 }).at(ahead)
  if (!plan || series.status === 'ended') throw notFound('occurrence')
  return { plan }
}

async function revise(ctx: Context, series: MaintenanceSeries, why: string): Promise<void> {
  series.version += 1
  series.updated_at = ctx.now
  ctx.wake({ kind: 'series', id: series.id }, why)
  await ctx.tx.flush()
}
