import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-21T12:00:00.000Z') })
  item = await makeItem(service, 'Database')
})
afterAll(() => service.close())

const plan = (title: string, day: string, body: object = {}) =>
  service.admin.post('/admin/maintenances', {
    ...{ title, affected_items: [{ id: item }] },
    ...{ scheduled_start_time: `${day}T10:00:00Z`, scheduled_end_time: `${day}T11:00:00Z` },
    ...body,
  })
const page = async () => (await service.as(undefined).get('//')).body as string
const count = (text: string, word: string) => text.split(word).length - 1

test('the page shows what goes on and what comes in the next days, of a series its next window', async () => {
  await plan('Goes on', '2026-11-21', { status: 'in_progress', scheduled_start_time: null })
  await plan('Comes soon', '2026-11-25')
  await plan('Comes late', '2027-01-25')
  await plan('Never begun', '2026-11-20')
  const { body: cancelled } = await plan('Cancelled', '2026-11-26')
  await service.admin.post(`/admin/maintenances/${cancelled.id}/cancel`)
  await plan('Recurs', '2026-11-23', { recurrence_rule: 'FREQ=DAILY' })
  const shown = await page()
  expect(shown).toMatch(/Maintenance of <?.*Database/s)
  const [progress, upcoming] = ['<h2>Current incidents', '<h2>Planned maintenance'].map((title) => shown.indexOf(title))
  expect(progress).toBeGreaterThan(0)
  expect(shown.indexOf('Goes on')).toBeGreaterThan(progress!)
  expect(upcoming).toBeGreaterThan(shown.indexOf('Goes on'))
  expect(shown.indexOf('Recurs')).toBeGreaterThan(upcoming!)
  expect(shown.indexOf('Comes soon')).toBeGreaterThan(shown.indexOf('Recurs'))
  expect(count(shown, 'Recurs')).toBe(1)
  expect(shown).toMatch(/Recurs(?:(?!<\/article>).)*The next window of a series/s)
  expect(count(shown, 'The next window of a series')).toBe(1)
  expect(shown).not.toMatch(/Comes late|Never begun|Cancelled/)
  await service.admin.patch('/admin/settings', { homepage_upcoming_maintenance_days: 100 })
  expect(await page()).toContain('Comes late')
  await service.admin.patch('/admin/settings', { homepage_upcoming_maintenance_days: 0 })
  const without = await page()
  expect(without).toContain('Goes on')
  expect(without).not.toContain('Upcoming maintenance')
})

test('a window within a day ends at a time in the words of the language', async () => {
  const { body } = await plan('Short', '2026-11-29')
  const { body: long } = await plan('Long', '2026-11-29', { scheduled_end_time: '2026-11-30T11:00:00Z' })
  const languages = {
    supported_locales: ['en', 'fr', 'es'],
    multilingual_enabled: true,
    multilingual_public_ready: true,
  }
  await service.admin.patch('/admin/settings', languages)
  const windowOf = async (id: number, locale: string) => {
    const html = (await service.as(undefined).get(`//maintenances/${id}?locale=${locale}`)).body as string
    return /<p class="facts">.*?<\/p>/s.exec(html)![0].replace(/<[^>]*>/g, '')
  }
  expect(await windowOf(body.id, 'fr')).toContain('Du 29 novembre à 10:00 UTC à 11:00 UTC')
  expect(await windowOf(body.id, 'es')).toContain('Del 29 de noviembre a las 10:00 UTC a las 11:00 UTC')
  expect(await windowOf(long.id, 'fr')).toContain('au 30 novembre à 11:00 UTC')
})
