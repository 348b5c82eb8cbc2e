import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

/** The pages of incidents, maintenances, items and months, through the real application. */

const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(1)></style>&amp;\u202Eevil`

let service: TestService
let shop: number
let open: number
let resolved: number
let planned: number
const get = (path: string, headers?: Record<string, string>) => service.as(undefined).get(`/${path}`, headers)

beforeAll(async () => {
  service = await openTestService()
  const { admin } = service
  shop = (await admin.post('/admin/hierarchy/items', { name: 'Shop', description: 'All of it' })).body.id
  await admin.post('/admin/hierarchy/items', { name: 'Checkout', parent_id: shop })
  const start_date = new Date(Date.now() - 30 * 86_400_000).toISOString()
  await admin.patch(`/admin/hierarchy/items/${shop}`, { start_date })
  const affected_items = [{ id: shop }]
  const report = { title: 'Payments fail', description: 'No card works.', status: 'major_outage', affected_items }
  open = (await admin.post('/admin/incidents', report)).body.id
  resolved = (await admin.post('/admin/incidents', { ...report, title: 'Mails were late' })).body.id
  await admin.post(`/admin/incidents/${resolved}/resolve`, { resolution_message: 'The queue is **empty**.' })
  await admin.request('PUT', `/admin/incidents/${resolved}/report`, { title: 'Why mails were late', body: 'A queue.' })
  await admin.post(`/admin/incidents/${resolved}/report/publish`)
  const times = { scheduled_start_time: '2036-03-02T15:00:00Z', scheduled_end_time: '2036-03-02T16:00:00Z' }
  const work = { title: 'Upgrade', description: 'Short breaks.', affected_items, ...times }
  planned = (await admin.post('/admin/maintenances', work)).body.id
})
afterAll(() => service.close())

test('an incident has a page with its timeline, its items and its report', async () => {
  const { status, body } = await get(`/incidents/${resolved}`)
  expect(status).toBe(200)
  expect(body).toContain('<title>Mails were late – First</title>')
  expect(body).toContain('<meta property="og:title" content="Mails were late – First">')
  expect(body).toMatch(/<h1 dir="auto">Mails were late<\/h1>/)
  expect(body).toContain(`<a href="/items/${shop}"><bdi>Shop</bdi></a>`)
  expect(body).toContain('The queue is <strong>empty</strong>.')
  expect(body).toMatch(/Post-incident report.*Why mails were late.*A queue\./s)
})

test('an archived item, which has no page, is named without a link', async () => {
  const { admin } = service
  const { id } = (await admin.post('/admin/hierarchy/items', { name: 'Fax' })).body
  const affected_items = [{ id }]
  const fails = (await admin.post('/admin/incidents', { title: 'Fax fails', affected_items })).body.id
  const times = { scheduled_start_time: '2036-04-02T15:00:00Z', scheduled_end_time: '2036-04-02T16:00:00Z' }
  const repair = (await admin.post('/admin/maintenances', { title: 'Repair', affected_items, ...times })).body.id
  await admin.request('DELETE', `/admin/hierarchy/items/${id}?archive=true`)
  expect((await get(`/items/${id}`)).status).toBe(404)
  for (const [kind, record] of [
    ['incidents', fails],
    ['maintenances', repair],
  ]) {
    const { body } = await get(`/${kind}/${record}`)
    expect(body).toContain('<bdi>Fax</bdi>')
    expect(body).not.toContain(`/items/${id}"`)
    const shown = (await service.as(undefined).get(`/${kind}/${record}`)).body
    expect(shown.affected_items).toMatchObject([{ id, archived: true }])
  }
})

test('a maintenance has a page with its window', async () => {
  const { status, body } = await get(`/maintenances/${planned}`)
  expect(status).toBe(200)
  expect(body).toMatch(/<h1 dir="auto">Upgrade<\/h1>/)
  expect(body).toMatch(/From .*2 March 2036 at 15:00 UTC.* to .*>16:00 UTC/s)
})

test('an item has a page with its parts, its uptime as a calculation, and each day as a row', async () => {
  const { status, body } = await get(`/items/${shop}`)
  expect(status).toBe(200)
  expect(body).toMatch(/<h1><bdi>Shop<\/bdi><\/h1>/)
  expect(body).toContain('All of it')
  expect(body).toMatch(/<bdi>Checkout<\/bdi>/)
  const [, down, total, percent] = /100 × \(1 − ([\d,]+) ÷ ([\d,]+)\) = <b>([\d.]+)%<\/b>/
    .exec(body)!
    .map((one) => Number(one.replaceAll(',', '')))
  expect(percent).toBe(Math.floor(1_000_000 * (1 - down! / total!)) / 10_000)
  const days = [...body.matchAll(/<th role="rowheader" scope="row">(.*?)<\/th>/g)].map(([, date]) => date)
  expect(days).toHaveLength(3)
  expect(days[0]).toMatch(/^\w+, \d+ \w+ \d{4}$/)
  expect(days[1]).toMatch(/^\d+.*–.*\d{4}$/)
  expect(body).toContain(`<a href="/incidents/${open}"><bdi>Payments fail</bdi></a>`)
})

test('a corrected event is named on the page of its item', async () => {
  const path = `/admin/hierarchy/items/${shop}/status-events`
  const [event] = (await service.admin.get(path)).body.events
  const event_time = new Date(Date.parse(event.event_time) - 1000).toISOString()
  const moved = await service.admin.post(`/admin/status-events/${event.id}/time`, {
    event_time,
    correction_note: 'Earlier.',
  })
  expect(moved.status).toBe(200)
  expect((await get(`/items/${shop}`)).body).toContain('Corrections of the past')
})

describe('readers see a correction of the past that', () => {
  const [day, hour] = [86_400_000, 3_600_000]
  const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
  /** An item with an outage of an hour; the status event of its begin. */
  async function withOutage(name: string, started: number) {
    const { admin } = service
    const above = (await admin.post('/admin/hierarchy/items', { name: `Above ${name}` })).body.id
    const item = (await admin.post('/admin/hierarchy/items', { name, parent_id: above })).body.id
    for (const id of [above, item]) await admin.patch(`/admin/hierarchy/items/${id}`, { start_date: ago(30 * day) })
    const outage = { title: name, status: 'major_outage', affected_items: [{ id: item }] }
    const times = { started_at: ago(started), resolved_at: ago(started - hour) }
    await admin.post('/admin/incidents/backfill', { ...outage, ...times })
    const { events } = (await admin.get(`/admin/hierarchy/items/${item}/status-events`)).body
    const { id } = events.find(({ status }: { status: string }) => status === 'major_outage')
    return { above, item, id }
  }

  test('removed an event, also of a parent', async () => {
    const { above, item, id } = await withOutage('Removed', day)
    expect((await get(`/items/${item}`)).body).not.toContain('Corrections of the past')
    await service.admin.request('DELETE', `/admin/status-events/${id}`, { reason: 'It looks bad' })
    for (const one of [item, above]) {
      const { body } = await get(`/items/${one}`)
      expect(body).toMatch(/Corrections of the past.*Major outage:.* → removed \(/s)
      expect(body).not.toContain('It looks bad')
    }
  })

  test('moved an event out of the days that are shown', async () => {
    const { item, id } = await withOutage('Moved', 2 * day)
    await service.admin.patch('/admin/settings', { homepage_history_bars_days: 7 })
    const moved = { event_time: ago(10 * day) }
    expect((await service.admin.post(`/admin/status-events/${id}/time`, moved)).status).toBe(200)
    expect((await get(`/items/${item}`)).body).toContain('Corrections of the past')
    await service.admin.patch('/admin/settings', { homepage_history_bars_days: 90 })
  })
})

test('an item that begins later has no uptime yet', async () => {
  const start_date = new Date(Date.now() + 86_400_000).toISOString()
  const { id } = (await service.admin.post('/admin/hierarchy/items', { name: 'Next year', start_date })).body
  const { body } = await get(`/items/${id}`)
  expect(body).toContain('<p class="about">Not yet monitored</p>')
  expect(body).not.toContain('Counted time')
})

test('a changed weight is printed with the time of its change', async () => {
  const { status_types } = (await service.admin.get('/admin/status-types')).body
  const { id } = status_types.find(({ key }: { key: string }) => key === 'major_outage')
  expect((await get(`/items/${shop}`)).body).not.toContain('The weight of')
  await service.admin.patch(`/admin/status-types/${id}`, { uptime_weight: 0.25 })
  const words = (await get(`/items/${shop}`)).body.replace(/<[^>]*>/g, '')
  expect(words).toMatch(/The weight of Major outage was last changed on \d+ \w+/)
  const { id: calm } = (await service.admin.post('/admin/hierarchy/items', { name: 'Calm' })).body
  expect((await get(`/items/${calm}`)).body).not.toContain('The weight of')
  await service.admin.del(`/admin/hierarchy/items/${calm}`)
  const { weights_since } = (await service.as(undefined).get('/pages/public/first/history')).body
  expect(Object.keys(weights_since)).toEqual(['major_outage'])
})

describe('past incidents', () => {
  test('are listed by month with ways to the months around', async () => {
    const backfilled = {
      ...{ title: 'Old outage', description: 'Long ago.', status: 'major_outage', affected_items: [{ id: shop }] },
      ...{ started_at: '2025-01-31T23:30:00Z', resolved_at: '2025-02-01T00:30:00Z' },
    }
    await service.admin.post('/admin/incidents/backfill', backfilled)
    const january = (await get('/history?month=2025-01')).body
    expect(january).toMatch(/<h1>Incidents and maintenance in January 2025<\/h1>/)
    expect(january).toContain('Old outage')
    expect(january).not.toMatch(/rel="prev"/)
    expect(january).toMatch(/rel="next" href="\/history\?month=2025-02"/)
    const { body } = await get('/history')
    expect(body).toContain('Payments fail')
    expect(body).toMatch(
      /class="card incident open [^>]*>\s*<h3[^>]*>Payments fail(?:(?!<\/article>).)*<summary><span class="fold">What happened<\/span><\/summary>/s,
    )
    expect(body).not.toContain('Old outage')
    expect(body).not.toMatch(/rel="next"/)
  })

  test('are in the month of the time zone of the page', async () => {
    await service.admin.patch('/admin/settings', { reliability_policy_timezone: 'Europe/Berlin' })
    expect((await get('/history?month=2025-02')).body).toContain('Old outage')
    await service.admin.patch('/admin/settings', { reliability_policy_timezone: null })
  })

  test.each([
    ['en', 'No incidents, and no maintenance.'],
    ['de', 'Keine Störungen und keine Wartungen.'],
    ['ar', 'لا حوادث ولا صيانة.'],
  ])('of a month without any say so of incidents and of maintenances, in %s', async (document_locale, words) => {
    await service.admin.patch('/admin/settings', { document_locale })
    const { body } = await get('/history?month=2025-05')
    await service.admin.patch('/admin/settings', { document_locale: null })
    expect(body).toContain(`<p class="card none">${words}</p>`)
  })

  test('of an empty month are those of this month', async () => {
    const { status, body } = await get('/history?month=')
    expect([status, body.includes('Payments fail')]).toEqual([200, true])
  })

  test.each(['2025-13', 'x', '0001-01', '2025-01&month=2025-02'])('of the month %j are not found', async (month) => {
    const { status, body } = await get(`/history?month=${month}`)
    expect([status, body.includes('Payments fail')]).toEqual([404, false])
    expect(body).toContain('<!doctype html>')
  })
})

describe('the search', () => {
  test.each([
    ['payments', ['Payments fail'], ['Mails were late', 'Upgrade']],
    ['SHOP', ['Shop'], ['Payments fail']],
    ['upgr', ['Upgrade'], ['Payments fail']],
    ['nothing like this', ['Nothing was found.'], ['Payments fail']],
    ['%', ['Nothing was found.'], ['Payments fail']],
    ['\u0000upgr\u0007', ['Upgrade'], ['Payments fail']],
    ['\u0000', [], ['Payments fail']],
  ])('for %j finds %j', async (words, found, others) => {
    const { status, body } = await get(`/search?q=${encodeURIComponent(words)}`)
    expect(status).toBe(200)
    for (const text of found) expect(body).toContain(text)
    for (const text of others) expect(body.split('<main')[1]).not.toContain(text)
    expect(body).toContain('<meta name="robots" content="noindex">')
  })

  test('shows what was searched as text', async () => {
    const { body } = await get(`/search?q=${encodeURIComponent(HOSTILE)}`)
    expect(body).not.toMatch(/<script>alert|<img src=x/)
    expect(body).toContain('&lt;script&gt;')
  })
})

test.each(['/incidents/999999', '/incidents/x', '/maintenances/0', '/items/1e3', '/items/99999999999', '/nothing'])(
  '%s is not found, with a page',
  async (path) => {
    const { status, headers } = await get(path, { Accept: 'text/html' })
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  },
)

test('a record of another page is not found', async () => {
  expect((await get(`/status/other/incidents/${open}`, { Accept: 'text/html' })).status).toBe(404)
})

test('below a slug, all links stay below the slug', async () => {
  for (const path of ['', `/incidents/${open}`, `/items/${shop}`, '/history', '/search']) {
    const { status, body } = await get(`/status/first${path}`)
    expect(status).toBe(200)
    const links = [...body.matchAll(/href="(\/[^"]*)"/g)].map(([, link]) => link!)
    expect(links.length).toBeGreaterThan(3)
    for (const link of links) expect(link).toMatch(/^\/status\/first(\/|$|\?|#)|^\/api\/docs$/)
    expect(body).toMatch(/ data-stream="\/status\/first\/api\/v1\/pages\/public\/first\/stream\?revision=\w+"/)
  }
})

test('an unchanged page is a 304, and a parameter without a meaning makes no other page', async () => {
  const first = await get(`/items/${shop}`)
  const etag = first.headers.get('etag')!
  const again = await get(`/items/${shop}?utm_source=mail`, { 'If-None-Match': etag })
  expect(again.status).toBe(304)
})

test('the scripts of the page are kept by browsers, and served without types', async () => {
  const { body } = await get('/')
  const scripts = [...body.matchAll(/src="(\/assets\/\w+\/\w+\.js)"/g)].map(([, path]) => path!)
  expect(scripts).toHaveLength(3)
  for (const path of scripts) {
    const answer = await get(path)
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.body).not.toMatch(/interface |: string/)
  }
  expect((await get('/assets/0/live.js')).headers.get('cache-control')).toBe('no-cache')
  expect((await get('/assets/0/nothing.js')).status).toBe(404)
})

test('whatever users write is text on every page', async () => {
  const { admin } = service
  const item = (await admin.post('/admin/hierarchy/items', { name: HOSTILE, description: HOSTILE })).body
  const affected_items = [{ id: item.id }]
  const texts = { title: HOSTILE, description: HOSTILE, affected_items_freetext: HOSTILE, affected_items }
  const incident = (await admin.post('/admin/incidents', { ...texts, impact: HOSTILE.slice(0, 190) })).body
  await admin.post(`/admin/incidents/${incident.id}/updates`, { message: HOSTILE })
  const times = { scheduled_start_time: '2036-03-02T15:00:00Z', scheduled_end_time: '2036-03-02T16:00:00Z' }
  const work = (await admin.post('/admin/maintenances', { ...texts, ...times })).body
  const label = HOSTILE.slice(0, 100)
  await admin.patch('/admin/settings', {
    ...{ site_title: HOSTILE, site_subtitle: HOSTILE, footer_text: HOSTILE, reliability_policy_label: label },
    header_navigation_links: [{ label, url: '/help?"><script>alert(1)</script>'.replaceAll(' ', '') }],
  })
  const paths = ['/', `/incidents/${incident.id}`, `/maintenances/${work.id}`, `/items/${item.id}`, '/history']
  for (const path of [...paths, '/?view=basic', '/search?q=script']) {
    const { status, body } = await get(path)
    expect(status).toBe(200)
    expect(body).not.toMatch(/<script>alert|<img|<\/style>&/)
    expect(body).toContain('&lt;script&gt;')
    // The data of scripts cannot end their element.
    for (const [, data] of body.matchAll(/<script type="application\/json"[^>]*>(.*?)<\/script>/gs)) JSON.parse(data!)
  }
})
