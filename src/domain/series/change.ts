import type { z } from 'zod'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { MaintenanceSeriesItem } from '../../persistence/entities/maintenance-series-item.ts'
import { resolveItems } from '../hierarchy/references.ts'
import type { ItemRef } from '../hierarchy/schema.ts'
import { assignDefined, cleared } from '../kernel/assign.ts'
import type { Context } from '../kernel/context.ts'
import { Problem, requireVersion } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { parseInput } from '../kernel/parse.ts'
import { replaced, trackRevision } from '../kernel/revise.ts'
import { checkWords } from '../maintenances/new-maintenance.ts'
import { notifyFrom } from '../notifications/announce.ts'
import { translate } from '../translations/write.ts'
import { requireStage, stagesOf } from '../vocabulary/lookup.ts'
import { applyWording, editedWindows } from './apply-to-windows.ts'
import { planSeries } from './create.ts'
import { generate } from './generate.ts'
import { affectBySeries, DEFAULT_MONTHS, momentOf, requireSchedule, scheduleFields } from './new-series.ts'
import { presentFull, presentOccurrences } from './presenter.ts'
import { followSchedule, type Rescheduled } from './reschedule.ts'
import { SeriesCreateRequest, SeriesPutRequest, SeriesResource, SeriesUpdateRequest } from './schema.ts'
import { endWindows } from './status.ts'
import { seriesProcess, seriesSubject } from './subject.ts'

type Input = z.output<typeof SeriesUpdateRequest>

const following =
  'What says no more than what is stored changes nothing. The windows to come follow, each staying who it is; those that somebody edited stay as they are, and the answer lists them in `kept_occurrences`. Windows that the new schedule has no place for are cancelled. One event, `series.rescheduled`, tells of all.'

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
  summary: 'Plan the series with this external id, or replace what it says',
  description: `What the body leaves out gets its default; stage, zone and translations stay unless the body names them. ${following}`,
  input: SeriesPutRequest,
  output: SeriesResource,
  run: async (ctx, input) => {
    const { external_id } = input
    const series = await seriesSubject.find(ctx, { external_id }, { lock: true })
    requireVersion(series, input.version)
    if (!series) {
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

/** What a series is that says no more than it must. */
const emptied = (input: { recurrence_rule?: string | null }) => ({
  description: '',
  impact: null,
  affected_items_freetext: null,
  chat_channel_id: null,
  auto_transition_enabled: false,
  auto_transition_start_message: null,
  auto_transition_complete_message: null,
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
  const moved = reschedule(series, input)
  assignDefined(series, {
    title: input.title,
    description: cleared(input.description),
    impact: input.impact,
    affected_items_freetext: input.affected_items_freetext,
    chat_channel_id: input.chat_channel_id,
    auto_transition_enabled: input.auto_transition_enabled,
    auto_transition_start_message: input.auto_transition_start_message,
    auto_transition_complete_message: input.auto_transition_complete_message,
    generate_months: input.generate_months,
    lifecycle_stage_id: stage?.id,
  })
  if (input.affected_items) await replaceItems(ctx, series, input.affected_items)
  await translate(ctx, ['maintenance_series', series.id], input.translations)
  if (input.status) series.status = input.status
  if (!revise()) return
  if (ended) throw new Problem('conflict', 'The series has ended: nothing of it can be changed.')
  await tx.flush()
  const work = ctx
  const dressed = Boolean(input.affected_items || input.translations?.length)
  await applyWording(work, series, { stageId: stage?.id, dressed })
  if (moved) tell(ctx, series, await followSchedule(work, series), input.notify)
  else if (series.status === 'active') await generate(work, series)
  ctx.wake(seriesProcess(series), 'a change of the series')
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

/** Whether the request moves anything; a schedule that makes no sense is refused. */
function reschedule(series: MaintenanceSeries, input: Input): boolean {
  const type = input.recurrence_type ?? (input.recurrence_rule ? 'rrule' : undefined)
  // Of another type, what only the old one had is gone, said or not.
  const gone = type === undefined || type === series.recurrence_type ? {} : ofTheType
  const said = { ...gone, ...input, recurrence_type: type }
  const changed = scheduleFields.filter((name) => said[name] !== undefined && said[name] !== series[name])
  const end = momentOf(said.recurrence_end_time)
  const ends = end !== undefined && end?.getTime() !== series.recurrence_end_time?.getTime()
  if (changed.length === 0 && !ends) return false
  for (const name of changed) Object.assign(series, { [name]: said[name] })
  if (ends) series.recurrence_end_time = end
  if (changed.includes('start_time')) series.offset_ms = 0
  requireSchedule(series)
  return true
}

function tell(ctx: Context, series: MaintenanceSeries, result: Rescheduled, notify: boolean): void {
  if (!notify) return
  const natural = `version:${series.version}`
  notifyFrom(ctx, { key: 'series.rescheduled', kind: 'series', id: series.id, natural, data: { ...result } })
}
