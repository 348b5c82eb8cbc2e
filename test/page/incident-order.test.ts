import { expect, test } from '@jest/globals'
import type { PageView } from '../../src/domain/pages/views/home.ts'
import { renderHome as render } from '../../src/page/home/home.ts'
import { affected, incident, itemsOf, view } from './samples.ts'

const renderHome = (page: PageView) => render(page, { base: '', path: '/' })

test('the current incident with the worst status is the first', () => {
  const one = (id: number, status: string) => incident({ id, status, title: `Incident ${id}` })
  const open_incidents = [one(4, 'operational'), one(3, 'degraded'), one(2, 'major_outage'), one(1, 'degraded')]
  const page = renderHome(view({ open_incidents }))
  expect([...page.matchAll(/id="incident-(\d)"/g)].map(([, id]) => id)).toEqual(['2', '3', '1', '4'])
})

test('an unfolded past incident names its affected items once', () => {
  const items = itemsOf('Shop')
  const past = incident({ affected_items: affected(...items), resolved_at: '2026-03-02T11:00:00.000Z' })
  const page = renderHome(view({ items, resolved_incidents: [past] }))
  expect(page.split('Affected:')).toHaveLength(2)
})
