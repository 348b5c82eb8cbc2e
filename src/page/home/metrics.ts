import type { PageView } from '../../domain/pages/views/home.ts'
import { html, type Markup } from '../markup.ts'
import type { SiteContext } from '../site/context.ts'
import { rangeInWords } from '../site/durations.ts'
import { numberInWords, percentInWords } from '../site/numbers.ts'
import { chartPath } from './chart-rules.ts'

type Metric = PageView['metrics'][number]

const WIDTH = 240
const HEIGHT = 48

/** The latencies of beats with public metrics as small charts. */
export function renderMetrics({ metrics }: PageView, context: SiteContext): Markup {
  return html`<div class="charts">${metrics.map((metric) => chart(metric, context))}</div>`
}

function chart(
  { item, label, latency_ms, uptime_percent, points, ...metric }: Metric,
  { labels, text, languages, reading }: SiteContext,
) {
  const range = rangeInWords(metric.range, reading)
  const latency =
    latency_ms.p50 === null ? undefined : text('page.metrics.ms', { count: numberInWords(latency_ms.p50, labels) })
  const succeeded = percentInWords(uptime_percent, labels)
  const path = chartPath(
    points.map((point) => point.latency_ms.p50),
    { width: WIDTH, height: HEIGHT },
  )
  return html`<div class="card chart">
    <p><b><bdi${label === item.name ? languages.of('item', item.id, 'name') : languages.original}>${label}</bdi></b></p>
    <p class="value">${latency ?? text('page.metrics.none')}</p>
    <p class="soft">${succeeded && text('page.metrics.succeeded', { percent: succeeded })} · ${text('page.metrics.range', { range })}</p>
    <svg role="img" aria-label="${text('page.metrics.chart', { label, range })}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none"><path d="${path}" vector-effect="non-scaling-stroke"/></svg>
  </div>`
}
