import type { z } from 'zod'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { MaintenanceSeriesItem } from '../../persistence/entities/maintenance-series-item.ts'
import { resolveItems } from '../hierarchy/references.ts'
import type { ItemRef } from '../hierarchy/schema.ts'
import { assignDefined } from '../kernel/assign.ts'
import type { Context } from '../kernel/context.ts'
import { Problem, requireVersion } from '../kernel/errors.ts'
import { changedValues, resetValues } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { parseInput } from '../kernel/parse.ts'
import { rememberRequest } from '../kernel/repeated.ts'
import { replaced, trackRevision } from '../kernel/revise.ts'
import { counted, named } from '../kernel/text-rules.ts'
import { checkWords } from '../maintenances/new-maintenance.ts'
import { notifyFrom } from '../notifications/announce.ts'
import { translate } from '../translations/write.ts'
import { requireStage, stagesOf } from '../vocabulary/lookup.ts'
import { applyWording, comingStarts, editedWindows } from './apply-to-windows.ts'
import { planSeries, seriesDefaults } from './create.ts'
import { windowDefaults, windowFields } from './fields.ts'
import { generate } from './generate.ts'
import { affectBySeries, DEFAULT_MONTHS, momentOf, requireSchedule, scheduleFields } from './new-series.ts'
import { presentFull, presentOccurrences } from './presenter.ts'
import { followSchedule, type Rescheduled } from './reschedule.ts'
import { SeriesCreateRequest, SeriesPutRequest, SeriesResource, SeriesUpdateRequest } from './schema.ts'
import { endWindows } from './status.ts'
import { seriesSubject } from './subject.ts'

type Input = z.output<typeof SeriesUpdateRequest>

const following =
  'A body that equals the stored record changes nothing. The future windows follow the change, and each occurrence keeps its index. Edited windows stay unchanged, and the answer lists them in `kept_occurrences`. Windows without a place in the new schedule are cancelled. One notification, `series.rescheduled`, covers all windows; there is none if no window was moved, created or cancelled.'

export const updateSeries = operation({
  name: 'series.update',
  area: 'maintenance',
  permission: 'write',
  summary: 'Change a series',
  description: following,
  subject: seriesSubject,
  input: SeriesUpdateRequest,
  output: SeriesResource,
  run: async (ctx, input, series) => {
    await change(ctx, series, input)
    return presentChanged(ctx, series)
  },
})

export const putSeries = operation({
  name: 'series.put',
  makes: 'series',
  area: 'maintenance',
  permission: 'write',
  summary: 'Create the series with this external id, or replace its fields',
  description: `A field that the body omits gets its default; stage, time zone and translations stay unless the body names them. ${following}`,
  input: SeriesPutRequest,
  output: SeriesResource,
  run: async (ctx, input) => {
    const { external_id } = input
    const series = await seriesSubject.find(ctx, { external_id }, { lock: true })
    requireVersion(series, input.version)
    if (!series) {
      await rememberRequest(ctx, 'series', input, () => seriesDefaults(ctx, input))
      const { status } = input
      const made = await planSeries(ctx, {
        ...input,
        ...parseInput(SeriesCreateRequest.pick({ status: true }), { status }),
      })
      return (await presentFull(ctx.tx, [made]))[0]!
    }
    ctx.revised()
    await change(ctx, series, { ...emptied(input), ...input })
    return presentChanged(ctx, series)
  },
})

/** The defaults of fields that a PUT omits. */
const emptied = (input: { recurrence_rule?: string | null }) => ({
  ...resetValues(windowFields, windowDefaults()),
  ...(input.recurrence_rule ? { recurrence_type: 'rrule' as const } : {}),
  recurrence_rule: null,
  interval_weeks: null,
  weekday: null,
  ordinal_week: null,
  ends_on: null,
  max_occurrences: null,
  recurrence_end_time: null,
  generate_months: DEFAULT_MONTHS,
})

async function presentChanged(ctx: Context, series: MaintenanceSeries) {
  const kept = await editedWindows(ctx, series)
  const [full] = await presentFull(ctx.tx, [series])
  return { ...full!, kept_occurrences: await presentOccurrences(ctx.tx, series, kept) }
}

async function change(ctx: Context, series: MaintenanceSeries, input: Input): Promise<void> {
  const { tx } = ctx
  const revise = trackRevision(ctx, seriesSubject, series)
  const ended = series.status === 'ended'
  checkWords(input)
  const stage = requireStage(await stagesOf(tx, 'maintenance'), input, series.lifecycle_stage_id)
  const moved = applySchedule(series, input)
  assignDefined(series, {
    ...changedValues(windowFields, input),
    generate_months: input.generate_months,
    lifecycle_stage_id: stage?.id,
  })
  if (input.affected_items) await replaceItems(ctx, series, input.affected_items)
  await translate(ctx, ['maintenance_series', series.id], input.translations)
  if (input.status) series.status = input.status
  if (!revise()) return
  if (ended) throw new Problem('conflict', 'The series has ended and cannot be changed.')
  await tx.flush()
  const work = ctx
  const copiesParts = Boolean(input.affected_items || input.translations?.length)
  await applyWording(work, series, { stageId: stage?.id, copiesParts })
  const result = moved ? await followSchedule(work, series, input.notify) : undefined
  if (result) await notifyRescheduled(ctx, series, result, input.notify)
  else if (series.status === 'active') await generate(work, series)
  ctx.wake(
    { kind: 'series', id: series.id },
    `version ${series.version} of series ${named(series.title, series.id)}${effectOf(result)}`,
  )
  if (input.status === 'ended') await endWindows(ctx, series, input.notify)
}

async function replaceItems(ctx: Context, series: MaintenanceSeries, refs: ItemRef[]): Promise<void> {
  const { tx } = ctx
  const series_id = series.id
  const before = (await tx.find(MaintenanceSeriesItem, { series_id })).map(({ item_id }) => item_id)
  const items = await resolveItems(tx, refs, 'affected_items', before)
  const after = items.map(({ id }) => id)
  if (!replaced(ctx, 'affected_items', before, after)) return
  await tx.nativeDelete(MaintenanceSeriesItem, { series_id })
  affectBySeries(ctx, series, items)
}

const ofTheType = { recurrence_rule: null, interval_weeks: null, weekday: null, ordinal_week: null }

/** What a change did to the windows, for the note of the wake-up. */
function effectOf(result: Rescheduled | undefined): string {
  if (!result) return ''
  const { moved, made, cancelled } = result
  return `, with a new schedule: ${counted(moved, 'window')} moved, ${made} created, ${cancelled} cancelled`
}

/** Applies the schedule of the request. Returns whether the schedule changed; an invalid schedule is refused. */
function applySchedule(series: MaintenanceSeries, input: Input): boolean {
  const type = input.recurrence_type ?? (input.recurrence_rule ? 'rrule' : undefined)
  // A new type resets the fields of the old type.
  const reset = type === undefined || type === series.recurrence_type ? {} : ofTheType
  const wanted = { ...reset, ...input, recurrence_type: type }
  const changed = scheduleFields.filter((name) => wanted[name] !== undefined && wanted[name] !== series[name])
  const end = momentOf(wanted.recurrence_end_time)
  const ends = end !== undefined && end?.getTime() !== series.recurrence_end_time?.getTime()
  if (changed.length === 0 && !ends) return false
  for (const name of changed) Object.assign(series, { [name]: wanted[name] })
  if (ends) series.recurrence_end_time = end
  if (changed.includes('start_time')) series.offset_ms = 0
  requireSchedule(series)
  return true
}

/** How many dates a notification names. */
const NAMED_DATES = 3

async function notifyRescheduled(
  ctx: Context,
  series: MaintenanceSeries,
  result: Rescheduled,
  notify: boolean,
): Promise<void> {
  if (result.moved + result.made + result.cancelled === 0) return
  const starts = await comingStarts(ctx, series)
  const data = { ...result, next_starts: starts.slice(0, NAMED_DATES), coming: starts.length }
  const natural = `version:${series.version}`
  notifyFrom(ctx, { key: 'series.rescheduled', kind: 'series', id: series.id, natural, data, notify })
}
