import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { type ComponentRow, componentRows } from '../../../persistence/components.ts'
import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatComponent } from '../../../persistence/entities/beat-component.ts'
import { summariesIn } from '../../hierarchy/presenter.ts'
import { HierarchyItemSummary } from '../../hierarchy/schema.ts'
import { operation } from '../../kernel/operation.ts'
import { momentOut } from '../../kernel/schema.ts'
import { type Reading, readingIn } from '../../translations/languages.ts'
import { languageInWords, readIn } from '../../translations/schema.ts'
import { type Range, ranges, shorter, windowOf } from '../definition/range-rules.ts'
import type { Figures } from './figures-rules.ts'
import { type Measure, measure } from './measure.ts'
import { Latency, presentWindow } from './metrics.ts'

const figures = { uptime_percent: z.number().nullable(), latency_ms: Latency }

export const PublicMetrics = z
  .strictObject({
    item: HierarchyItemSummary,
    label: z.string(),
    range: z.enum(ranges).describe('Shorter than requested if `public_metrics_max_range` of the beat is shorter'),
    start_time: momentOut(),
    end_time: momentOut(),
    resolution_seconds: z.int(),
    ...figures,
    points: z.array(z.strictObject({ at: momentOut(), ...figures })),
  })
  .meta({ id: 'PublicMetrics' })

/** Without `public_metrics_max_range`, the requested range. */
const rangeOf = ({ public_metrics_max_range: most }: Beat, asked: Range): Range =>
  most === null ? asked : shorter(asked, most as Range)

export const listPublicMetrics = operation({
  name: 'public.metrics.list',
  area: 'beats',
  permission: 'public',
  summary: 'Get the uptime and the latencies of the components whose metrics are public',
  description: `By component, in display order, without the type, the target and the regions of the checks. ${languageInWords}`,
  input: z.strictObject({ range: z.enum(ranges).default('24h'), ...readIn }),
  output: z.strictObject({ metrics: z.array(PublicMetrics), total: z.int() }),
  run: async ({ tx, now }, { range, locale }) => {
    const metrics = await publicMetrics(tx, now, { range, reading: await readingIn(tx, locale) })
    return { metrics, total: metrics.length }
  },
})

/** The public metrics of all beats that have them. */
export async function publicMetrics(
  tx: EntityManager,
  now: Date,
  { range: asked, reading }: { range: Range; reading: Reading },
): Promise<z.output<typeof PublicMetrics>[]> {
  const shown = await shownBeats(tx)
  const measures = new Map<number, Measure>()
  for (const [range, some] of Map.groupBy(shown, ({ beat }) => rangeOf(beat, asked))) {
    const beats = some.map(({ beat }) => beat)
    for (const [id, found] of await measure(tx, beats, windowOf(range, now))) measures.set(id, found)
  }
  const items = shown.map(({ item }) => item)
  const { summaryOf } = await summariesIn(tx, items, reading)
  return shown.map(({ beat, item }) => {
    const { series } = measures.get(beat.id)!
    const summary = summaryOf(item)
    return {
      item: summary,
      label: beat.public_metrics_label || summary.name,
      ...presentWindow(windowOf(rangeOf(beat, asked), now)),
      ...publicFigures(series),
      points: series.points.map((point) => ({ at: new Date(point.at).toISOString(), ...publicFigures(point) })),
    }
  })
}

const publicFigures = ({ uptime_percent, latency_ms }: Figures) => ({ uptime_percent, latency_ms })

/** The beats with public metrics, each with its item, as far as the item is still mapped and visible to readers. */
async function shownBeats(tx: EntityManager): Promise<{ beat: Beat; item: ComponentRow }[]> {
  const beats = await tx.find(
    Beat,
    { public_metrics_enabled: true, public_metrics_component_id: { $ne: null } },
    { orderBy: { id: 'asc' } },
  )
  if (beats.length === 0) return []
  const mapped = await tx.find(BeatComponent, { owner_kind: 'beat', owner_id: { $in: beats.map(({ id }) => id) } })
  const mapping = new Set(mapped.map(({ owner_id, item_id }) => `${owner_id} ${item_id}`))
  const at = Map.groupBy(
    beats.filter(({ id, public_metrics_component_id }) => mapping.has(`${id} ${public_metrics_component_id}`)),
    ({ public_metrics_component_id }) => public_metrics_component_id!,
  )
  return (await componentRows(tx)).flatMap((item) => (at.get(item.id) ?? []).map((beat) => ({ beat, item })))
}
