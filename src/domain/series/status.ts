import { z } from 'zod'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import type { Context } from '../kernel/context.ts'
import { Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { version } from '../kernel/schema.ts'
import { counted } from '../kernel/text-rules.ts'
import { notifyFrom } from '../notifications/announce.ts'
import { cancelQuietly, editedWindows, futureWindows, isFixed } from './apply-to-windows.ts'
import { generate } from './generate.ts'
import { presentOccurrences } from './presenter.ts'
import { Occurrence, type SeriesStatus } from './schema.ts'
import { seriesSubject } from './subject.ts'

const StatusAnswer = z
  .strictObject({
    status: z.string(),
    version: z.int(),
    kept_occurrences: z.array(Occurrence).optional().describe('After an end: the edited occurrences, which stay'),
  })
  .meta({ id: 'MaintenanceRecurrenceSeriesStatusResponse' })

const input = z.strictObject({ version: version().optional() })
const common = { area: 'maintenance', permission: 'write', subject: seriesSubject, output: StatusAnswer } as const

const answer = (series: MaintenanceSeries) => ({ status: series.status, version: series.version })

export const pauseSeries = operation({
  ...common,
  name: 'series.pause',
  summary: 'Pause a series: no more windows are created',
  description: 'The existing windows stay. Pausing twice answers 200.',
  input,
  run: async (ctx, _input, series) => {
    if (setStatus(ctx, series, 'paused'))
      ctx.wake({ kind: 'series', id: series.id }, `the pause of the series by "${ctx.actor.name}"`)
    return answer(series)
  },
})

export const resumeSeries = operation({
  ...common,
  name: 'series.resume',
  summary: 'Resume a paused series',
  description: 'Occurrences that ended during the pause get no windows. Resuming twice answers 200.',
  input,
  run: async (ctx, _input, series) => {
    if (setStatus(ctx, series, 'active')) {
      await generate(ctx, series)
      ctx.wake({ kind: 'series', id: series.id }, `the resumption of the series by "${ctx.actor.name}"`)
    }
    return answer(series)
  },
})

export const endSeries = operation({
  ...common,
  name: 'series.end',
  summary: 'End a series permanently',
  description: 'The future windows are cancelled, except edited windows. Ending twice answers 200.',
  input: input.extend({ notify: z.boolean().default(true).describe('`false`: no notification') }),
  run: async (ctx, { notify }, series) => {
    if (series.status === 'ended') {
      ctx.existing()
      return answer(series)
    }
    series.version += 1
    const kept = await endWindows(ctx, series, notify)
    return { ...answer(series), kept_occurrences: await presentOccurrences(ctx.tx, series, kept) }
  },
})

/** Sets the status. Returns false if the series already has the status. */
function setStatus(ctx: Context, series: MaintenanceSeries, status: SeriesStatus): boolean {
  if (series.status === 'ended') throw new Problem('conflict', 'The series has ended.')
  if (series.status === status) {
    ctx.existing()
    return false
  }
  series.status = status
  series.version += 1
  series.updated_at = ctx.now
  return true
}

/** Cancels the future windows that follow the series. Returns the edited occurrences, which stay. */
export async function endWindows(ctx: Context, series: MaintenanceSeries, notify: boolean) {
  const work = ctx
  const coming = await futureWindows(work, series)
  const windows = coming.filter((one) => !isFixed(one)).map(({ window }) => window!)
  for (const window of windows) await cancelQuietly(work, series, window, { change: 'end', notify })
  series.status = 'ended'
  series.updated_at = ctx.now
  const kept = await editedWindows(work, series)
  const counts = `${counted(windows.length, 'window')} cancelled, ${counted(kept.length, 'edited window')} kept`
  ctx.wake({ kind: 'series', id: series.id }, `the end of the series by "${ctx.actor.name}": ${counts}`)
  const data = { status: 'ended', cancelled: windows.length }
  notifyFrom(ctx, { key: 'series.rescheduled', kind: 'series', id: series.id, natural: 'ended', data, notify })
  return kept
}
