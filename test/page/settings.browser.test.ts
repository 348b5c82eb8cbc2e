import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { fillExample } from '../../src/domain/pages/example.ts'
import { branding } from '../../src/domain/settings/groups/branding.ts'
import { homepage } from '../../src/domain/settings/groups/homepage.ts'
import { layout } from '../../src/domain/settings/groups/layout.ts'
import { locales } from '../../src/domain/settings/groups/locale.ts'
import { reliability } from '../../src/domain/settings/groups/reliability.ts'
import { openPage } from '../support/browser.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'
import { appearance } from './effects/appearance.ts'
import { contents } from './effects/contents.ts'
import { type Effect, files } from './effects/readings.ts'

/** Each setting of the page has an effect that a browser shows. */

let service: TestService
let shop: number
let itemPath: string
beforeAll(async () => {
  service = await openTestService()
  await fillExample(service.services, service.page)
  const { admin } = service
  const { items } = (await admin.get('/admin/hierarchy/items')).body
  const idOf = (slug: string): number => items.find((item: { slug: string }) => item.slug === slug).id
  shop = idOf('shop')
  itemPath = `/items/${idOf('payments')}`
  const affected_items = [{ slug: 'payments' }]
  const report = { description: 'Cards are refused.', status: 'major_outage', affected_items, impact: 'All cards' }
  const { body } = await admin.post('/admin/incidents', { title: 'Payments fail', ...report })
  await admin.post(`/admin/incidents/${body.id}/updates`, { message: 'We look into it.' })
  const from = new Date(Date.now() - 3 * 86_400_000)
  const work = { title: 'Upgrade', description: 'Over.', affected_items: [{ slug: 'invoices' }] }
  const started_at = from.toISOString()
  const ended_at = new Date(from.getTime() + 3_600_000).toISOString()
  await admin.post('/admin/maintenances/backfill', { ...work, started_at, ended_at })
  const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const times = { scheduled_start_time: soon(10), scheduled_end_time: soon(10.1) }
  await admin.post('/admin/maintenances', { ...work, title: 'Planned upgrade', ...times })
  const translation = { locale: 'de', state: 'published', values: { title: 'Zahlungen gestört' } }
  await admin.patch(`/admin/incidents/${body.id}`, { translations: [translation] })
})
afterAll(() => service.close())

const cases = [...appearance, ...contents]

/** One window for each kind of reader. */
const windows = new Map<string, Promise<Page>>()

async function see({ shown, path, dark = false, locale = 'en' }: Effect): Promise<unknown> {
  const key = `${dark} ${locale}`
  const opening = windows.get(key) ?? openPage(service, '/', { dark, locale, files })
  windows.set(key, opening)
  const page = await opening
  await page.goto(service.url + (path === 'item' ? itemPath : '/'))
  return page.evaluate(shown)
}

const wholePath = ({ path = '', dark, locale = '' }: Effect) => `${path} ${dark} ${locale}`

test('without settings, the page has its defaults', async () => {
  for (const [, group] of Map.groupBy(cases, ([, one]) => wholePath(one))) {
    const [[, first]] = group as [[string, Effect]]
    const values = await see({ ...first, shown: `[${group.map(([, { shown }]) => `(${shown})`).join(',')}]` })
    expect(values).toEqual(group.map(([, { before }]) => before))
  }
})

test.each(cases)('%s', async (_name, one) => {
  const settings = Object.fromEntries(
    Object.entries(one.settings).map(([name, value]) => [name, value === 'shop' ? shop : value]),
  )
  const set = await service.admin.patch('/admin/settings', settings)
  expect([set.status, set.body.errors]).toEqual([200, undefined])
  // On a busy machine, readers have the last page until the new one is made.
  const seen = await until(
    () => see(one),
    (value) => isEqual(value, one.after),
  )
  expect(seen).toEqual(one.after)
  const nothing = Object.fromEntries(Object.keys(settings).map((name) => [name, null]))
  expect((await service.admin.patch('/admin/settings', nothing)).status).toBe(200)
})

function isEqual(value: unknown, expected: unknown): boolean {
  try {
    expect(value).toEqual(expected)
    return true
  } catch {
    return false
  }
}

test('every setting of the page is in the table', () => {
  const fields = [branding, layout, homepage, locales, reliability].flatMap(({ working }) => Object.keys(working))
  const named = new Set(cases.map(([name]) => name))
  expect(fields.filter((name) => !named.has(name))).toEqual([])
})
