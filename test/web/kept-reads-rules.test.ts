import { expect, test } from '@jest/globals'
import { isKept } from '../../src/web/answers/kept-reads-rules.ts'

test.each([
  'languages',
  'branding',
  '/?',
  '/?locale=de',
  '/status/acme?',
  '/status/acme/?locale=de',
  '/incidents/12?',
  '/status/acme/maintenances/3?locale=fr',
  '/api/v1/pages/public/current-host?',
  '/api/v1/settings?',
  '/api/v1/pages/public/acme/summary?locale=de',
  '/api/v1/pages/public/acme/components?',
  '/api/v1/pages/public/acme/metrics?',
  '/api/v1/pages/public/acme/history?days=90',
  '/api/v1/pages/public/acme/history?days=90&locale=de',
  '/api/v1/incidents?',
  '/status/acme/api/v1/maintenances?',
  '/api/v2/summary.json?',
  '/status/acme/api/v2/status.json?maintenance_indicator=true',
  '/api/v2/incidents/unresolved.json?',
  '/feed.rss?',
  '/feed.atom?entries=incidents&locale=de',
  '/status/acme/items/3/feed.atom?',
  'view sales',
  '/v/sales?',
  '/api/v1/views/sales/data?',
  '/status/acme/v/sales?locale=de',
  '/v/sales/feed.rss?',
  '/v/sales/calendar.ics?',
  '/feeds/12.atom?',
  '/feeds/12.ics?',
  '/calendar.ics?locale=de',
  '/status/acme/items/3/calendar.ics?',
  '/api/v2/scheduled-maintenances/active.json?',
])('%s is kept', (key) => {
  expect(isKept(key)).toBe(true)
})

test.each([
  '/?other=1',
  '/search?q=a',
  '/history?month=2026-10',
  '/api/v1/incidents?cursor=abc',
  '/api/v1/incidents?locale=de&state=open',
  '/api/v1/pages/public/acme/history?days=30',
  '/feeds/12.txt?',
  '/feeds/12.rss?asked_locale=de',
  '/v/sales?#inside',
  '/v/sales?locale=de#inside',
  '/v/sales/feed.rss?#inside',
  '/incidents/0?',
  '/incidents/x?',
  '/api/v2/incidents/upcoming.json?',
  '/api/v2/statusXjson?',
])('%s is not kept', (key) => {
  expect(isKept(key)).toBe(false)
})
