import { expect, test } from '@jest/globals'
import { renderHome } from '../../src/page/home/home.ts'
import { itemsOf, view } from './samples.ts'

test('a beat without latencies has no data, however long it is monitored', () => {
  const items = itemsOf('Calls')
  const latency_ms = { p50: null, p95: null, p99: null }
  const metric = { item: items[0]!, label: 'Calls', range: '24h', uptime_percent: 100, latency_ms, points: [] }
  const page = renderHome(view({ items, metrics: [metric as never] }), { base: '', path: '/' })
  expect(page).toMatch(/<p class="value">No data<\/p>\s*<p class="soft">100% of checks succeeded/)
})
