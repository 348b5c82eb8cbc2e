import { z } from 'zod'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { operation } from '../../kernel/operation.ts'
import { momentOut } from '../../kernel/schema.ts'
import { inList } from '../../kernel/text-rules.ts'
import { ranges, type Window, windowOf } from '../definition/range-rules.ts'
import { beatSubject } from '../definition/subject.ts'
import { reportedTypes } from '../types/index.ts'
import { type Series, seriesOf } from './figures-rules.ts'
import { measure } from './measure.ts'

export const Latency = z
  .strictObject({ p50: z.int().nullable(), p95: z.int().nullable(), p99: z.int().nullable() })
  .describe('With an error of less than five percent; null without measurements')

const figures = {
  uptime_percent: z
    .number()
    .nullable()
    .describe(`The share of successful checks; for ${inList(reportedTypes)}, the share of time in the stage healthy`),
  checks: z.int(),
  failures: z.int(),
  latency_ms: Latency,
}

const points = z
  .array(z.strictObject({ at: momentOut().describe('The start of the point'), ...figures }))
  .describe('Oldest first; the last point is still growing')

const BeatMetrics = z
  .strictObject({
    beat_id: z.int(),
    range: z.enum(ranges),
    start_time: momentOut(),
    end_time: momentOut(),
    resolution_seconds: z.int(),
    ...figures,
    points,
    regions: z.array(z.strictObject({ region: z.string(), ...figures, points })).optional(),
  })
  .meta({ id: 'BeatMetrics' })

const presentSeries = (series: Series) => ({
  ...series,
  points: series.points.map((point) => ({ ...point, at: new Date(point.at).toISOString() })),
})

export const presentWindow = ({ range, from, to, resolution_seconds }: Window) => ({
  range,
  start_time: from.toISOString(),
  end_time: to.toISOString(),
  resolution_seconds,
})

export const getMetrics = operation({
  name: 'beats.metrics',
  area: 'beats',
  permission: 'read',
  summary: 'Get the uptime and the latencies of a beat over a range',
  description: 'Minutes are stored for 30 days, hours for 400 days. Later results are counted at the request.',
  subject: beatSubject,
  input: z.strictObject({
    range: z.enum(ranges).default('24h'),
    by_region: z.stringbool().default(false).describe('`true` for the figures of each region as well'),
  }),
  output: BeatMetrics,
  run: async ({ tx, now }, { range, by_region }, beat: Beat) => {
    const window = windowOf(range, now)
    const { series, counts } = (await measure(tx, [beat], window)).get(beat.id)!
    const regions = [...Map.groupBy(counts, ({ region }) => region)].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      beat_id: beat.id,
      ...presentWindow(window),
      ...presentSeries(series),
      ...(by_region && {
        regions: regions.map(([region, own]) => ({
          region,
          ...presentSeries(seriesOf(own, window.points, window.resolution_seconds * 1000)),
        })),
      }),
    }
  },
})
