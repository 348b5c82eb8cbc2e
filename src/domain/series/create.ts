import type { z } from 'zod'
import { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { resolveItems } from '../hierarchy/references.ts'
import type { Context } from '../kernel/context.ts'
import { operation } from '../kernel/operation.ts'
import { findRepeated } from '../kernel/repeated.ts'
import { named } from '../kernel/text-rules.ts'
import { checkWords } from '../maintenances/new-maintenance.ts'
import { notifyFrom } from '../notifications/announce.ts'
import { settingsOf } from '../settings/stored.ts'
import { translateNew } from '../translations/write.ts'
import { requireStage, stagesOf } from '../vocabulary/lookup.ts'
import { windowDefaults } from './fields.ts'
import { generate } from './generate.ts'
import { affectBySeries, DEFAULT_MONTHS, seriesOf } from './new-series.ts'
import { presentFull } from './presenter.ts'
import { SeriesCreateRequest, SeriesResource } from './schema.ts'

type Input = z.output<typeof SeriesCreateRequest>

export const createSeries = operation({
  name: 'series.create',
  makes: 'series',
  area: 'maintenance',
  permission: 'write',
  summary: 'Create a maintenance series',
  description:
    'The service creates the windows `generate_months` ahead, as maintenances, and more as time passes. Occurrences that are over when the series is created keep their indexes and have no windows. A rule that never occurs and a window that is longer than its interval are refused. A series without an end continues to the end of 2199; a count that would continue after 2199 is refused. With an `external_id` the request may be repeated.',
  input: SeriesCreateRequest,
  output: SeriesResource,
  run: async (ctx, input) => {
    const stored = await findRepeated(ctx, MaintenanceSeries, 'series', input, () => seriesDefaults(ctx, input))
    return (await presentFull(ctx.tx, [stored ?? (await planSeries(ctx, input))]))[0]!
  },
})

/** The defaults of this page for what a request omits. */
export const seriesDefaults = async ({ tx }: Context, { recurrence_rule }: Pick<Input, 'recurrence_rule'>) => ({
  ...{ ...windowDefaults(), status: 'active', generate_months: DEFAULT_MONTHS },
  ...(recurrence_rule ? { recurrence_type: 'rrule' } : {}),
  timezone: (await settingsOf(tx)).reliability_policy_timezone,
})

export async function planSeries(ctx: Context, input: Input): Promise<MaintenanceSeries> {
  const { tx } = ctx
  checkWords(input)
  const stage = requireStage(await stagesOf(tx, 'maintenance'), input)
  const items = await resolveItems(tx, input.affected_items, 'affected_items')
  const timezone = input.timezone ?? (await settingsOf(tx)).reliability_policy_timezone
  const series = tx.create(MaintenanceSeries, seriesOf(ctx, { ...input, timezone }))
  series.create_hash = ctx.createHash
  series.lifecycle_stage_id = stage?.id ?? null
  await tx.flush()
  affectBySeries(ctx, series, items)
  await translateNew(ctx, ['maintenance_series', series.id], input.translations)
  await tx.flush()
  const [first] = series.status === 'active' ? (await generate(ctx, series)).made : []
  if (first) {
    const { notify } = input
    notifyFrom(ctx, { key: 'maintenance.scheduled', kind: 'maintenance', id: first.id, natural: 'scheduled', notify })
  }
  ctx.wake({ kind: 'series', id: series.id }, `the creation of series ${named(series.title, series.id)}`)
  return series
}
