import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

/** What each door says about the title of the incident and about the state; null for a door that shows no title. */
interface Seen {
  door: string
  revision: string
  title: string | null
  isCalm: boolean | null
}

let service: TestService
let item: number
let incident: number
beforeAll(async () => {
  service = await openTestService()
  const { admin } = service
  await admin.patch('/admin/settings', {
    ...{ embed_badge_enabled: true, embed_widget_enabled: true, embed_launcher_enabled: true },
  })
  item = (await admin.post('/admin/hierarchy/items', { name: 'Shop' })).body.id
  const fields = { title: 'Number 0', status: 'major_outage', affected_items: [{ id: item }] }
  incident = (await admin.post('/admin/incidents', fields)).body.id
  await admin.post('/admin/views', { name: 'Shops', alias: 'shops', items: [{ id: item }] })
})
afterAll(() => service.close())

const titleIn = (text: string) => /Number \d+/.exec(text)?.[0] ?? null
const calmIn = (text: string) => !/Major outage|major_outage|"major"|critical/.test(text)

const doors: Record<string, (text: string) => Omit<Seen, 'door' | 'revision'>> = {
  '/': (text) => ({ title: titleIn(text), isCalm: !text.includes('Major outage of Shop') }),
  '/api/v1/pages/public/first/summary': (text) => ({
    title: titleIn(text),
    isCalm: calmIn(JSON.parse(text).status.key),
  }),
  '/api/v1/incidents?view=full': (text) => ({ title: titleIn(text), isCalm: null }),
  '/api/v2/summary.json': (text) => ({ title: titleIn(text), isCalm: JSON.parse(text).status.indicator === 'none' }),
  '/feed.atom?entries=incidents': (text) => ({ title: titleIn(text), isCalm: null }),
  '/feed.rss?entries=incidents': (text) => ({ title: titleIn(text), isCalm: null }),
  '/badge.svg': (text) => ({ title: null, isCalm: calmIn(text) }),
  '/badge.json': (text) => ({ title: null, isCalm: calmIn(text) }),
  '/embed.json': (text) => ({ title: titleIn(text), isCalm: JSON.parse(text).widget.sentence.startsWith('All') }),
  '/embed/frame': (text) => ({ title: titleIn(text), isCalm: !text.includes('Major outage of Shop') }),
  '/v/shops': (text) => ({ title: titleIn(text), isCalm: !text.includes('Major outage of Shop') }),
  '/api/v1/views/shops/data': (text) => ({ title: titleIn(text), isCalm: calmIn(JSON.parse(text).status.key) }),
  '/calendar.ics': () => ({ title: null, isCalm: null }),
}

async function readAll(): Promise<Seen[]> {
  return Promise.all(
    Object.entries(doors).map(async ([door, read]) => {
      const answer = await fetch(service.url + door)
      expect([door, answer.status]).toEqual([door, 200])
      return { door, revision: answer.headers.get('X-Page-Revision') ?? '', ...read(await answer.text()) }
    }),
  )
}

test('all doors that carry the same revision show the same state, during changes too', async () => {
  const seen: Seen[] = []
  let isOver = false
  const reading = (async () => {
    while (!isOver) seen.push(...(await readAll()))
  })()
  for (let number = 1; number <= 12; number += 1) {
    await service.admin.patch(`/admin/incidents/${incident}`, { title: `Number ${number}` })
    const body = { message: 'Again', status: number % 2 === 0 ? 'major_outage' : 'operational' }
    await service.admin.post(`/admin/incidents/${incident}/updates`, body)
  }
  isOver = true
  await reading
  const last = await until(readAll, (all) => new Set(all.map(({ revision }) => revision)).size === 1)
  for (const [revision, all] of Map.groupBy([...seen, ...last], (one) => one.revision)) {
    expect(revision).not.toBe('')
    const titles = new Set(all.flatMap(({ title }) => title ?? []))
    const states = new Set(all.flatMap(({ isCalm }) => isCalm ?? []))
    const shown = all.map(({ door, title, isCalm }) => [door, title, isCalm])
    expect([titles.size <= 1, states.size <= 1, shown]).toEqual([true, true, shown])
  }
  expect(new Set(seen.map(({ revision }) => revision)).size).toBeGreaterThan(2)
})
