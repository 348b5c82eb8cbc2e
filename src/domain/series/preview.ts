import { z } from 'zod'
import { operation } from '../kernel/operation.ts'
import { settingsOf } from '../settings/stored.ts'
import { seriesOf } from './new-series.ts'
import { planned } from './plan.ts'
import { presentPlanned } from './presenter.ts'
import { Occurrences, SeriesCreateRequest } from './schema.ts'

export const previewSeries = operation({
  name: 'series.preview',
  area: 'maintenance',
  permission: 'write',
  summary: 'Show the occurrences of a series without creating it',
  description: 'Nothing is stored. An invalid series is refused with the errors of a create.',
  changes: false,
  input: SeriesCreateRequest.partial({ title: true, affected_items: true }).extend({
    limit: z.int().min(1).max(500).default(50).describe('The most occurrences of the answer'),
  }),
  output: Occurrences,
  run: async (ctx, { limit, ...input }) => {
    const timezone = input.timezone ?? (await settingsOf(ctx.tx)).reliability_policy_timezone
    const series = seriesOf(ctx, { ...input, title: input.title ?? '', timezone })
    const occurrences = planned(series, { limit }).map(presentPlanned)
    return { occurrences }
  },
})
