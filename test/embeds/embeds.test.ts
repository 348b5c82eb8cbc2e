import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
let items: Record<'shop' | 'cart' | 'mail', number>
beforeAll(async () => {
  service = await openTestService()
  const item = async (name: string, parent_id?: number) =>
    (await service.admin.post('/admin/hierarchy/items', { name, ...(parent_id ? { parent_id } : {}) })).body.id
  const shop = await item('Shop')
  items = { shop, cart: await item('Cart', shop), mail: await item('Mail <i>') }
})
afterAll(() => service.close())

const all = { embed_badge_enabled: true, embed_widget_enabled: true, embed_launcher_enabled: true }
const settings = (fields: object) => service.admin.patch('/admin/settings', fields)
const read = (path: string) => fetch(service.url + path)
const textOf = async (path: string) => (await read(path)).text()

/** What an address answers once the answer has what the test waits for. */
const once = (path: string, has: (text: string) => boolean) => until(() => textOf(path), has)
const state = async (holds: (state: Embed) => boolean): Promise<Embed> =>
  JSON.parse(await once('/embed.json', (text) => holds(JSON.parse(text))))

interface Part {
  sentence: string
  color: string
  entries: { title: string; url: string; name: string }[]
  [name: string]: unknown
}
interface Embed {
  widget: Part | null
  launcher: Part | null
  language: string
}

test('disabled: badge and frame are 404, the script runs and shows nothing', async () => {
  await settings(Object.fromEntries(Object.keys(all).map((name) => [name, false])))
  expect(await state(({ widget, launcher }) => !widget && !launcher)).toMatchObject({ widget: null, launcher: null })
  for (const path of ['/badge.svg', '/badge.json', '/embed/frame']) {
    await until(
      async () => (await read(path)).status,
      (status) => status === 404,
    )
  }
  const script = await read('/embed.js')
  expect([script.status, script.headers.get('Content-Type')]).toEqual([200, 'text/javascript; charset=utf-8'])
})

test('the script is small', async () => {
  const script = await textOf('/embed.js')
  expect(brotliCompressSync(script).byteLength).toBeLessThan(10_000)
})

describe('the badge', () => {
  beforeAll(async () => {
    await settings(all)
    await once('/badge.svg', (text) => text.startsWith('<svg'))
  })

  test('shows the state of the page, of an item, and the label that was asked for', async () => {
    expect(await textOf('/badge.svg')).toContain('aria-label="status: Operational"')
    expect(await textOf(`/badge.svg?item=${items.cart}`)).toContain('aria-label="Cart: Operational"')
    expect(await textOf('/badge.svg?label=our+%26+shop')).toContain('aria-label="our &amp; shop: Operational"')
    await settings({ embed_badge_label: 'all systems' })
    await once('/badge.svg', (text) => text.includes('aria-label="all systems: Operational"'))
    await settings({ embed_badge_label: '' })
  })

  test('has a style and a theme', async () => {
    const flat = await textOf('/badge.svg?style=flat')
    expect(flat).toContain('rx="3"')
    expect(await textOf('/badge.svg?style=rounded')).toContain('rx="10"')
    expect(await textOf('/badge.svg?style=unknown&theme=unknown')).toBe(flat)
    expect(await textOf('/badge.svg?theme=dark')).toContain('#e6e9ec')
  })

  test('answers 200 with "unknown" for what it does not know', async () => {
    for (const item of ['99999', 'x', '0', '99999999999999']) {
      const answer = await read(`/badge.svg?item=${item}`)
      expect([item, answer.status, (await answer.text()).includes('unknown')]).toEqual([item, 200, true])
    }
    const answer = await read('/badge.json?item=99999')
    expect(await answer.json()).toEqual({ schemaVersion: 1, label: 'status', message: 'unknown', color: '6b747d' })
  })

  test('is JSON for other badges', async () => {
    const answer = await read('/badge.json?label=shop')
    expect(answer.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*')
    const body = await answer.json()
    expect(body).toEqual({
      ...{ schemaVersion: 1, label: 'shop', message: 'Operational' },
      color: expect.stringMatching(/^[0-9a-f]{6}$/),
    })
  })

  test.each(['<script>alert(1)</script>', '"><img src=x>', "'&\u0000\u0008\u202e]]>", '\ud800', '{{7*7}}'])(
    'the label %j is text',
    async (label) => {
      const text = await textOf(`/badge.svg?label=${encodeURIComponent(label.toWellFormed())}`)
      expect(text).not.toMatch(/<(script|img)|\p{Cc}/u)
      expect(text.match(/<svg/g)).toHaveLength(1)
    },
  )
})

describe('what the script and the frame show', () => {
  const incident = async (title: string, status: string, ...ids: number[]) =>
    (await service.admin.post('/admin/incidents', { title, status, affected_items: ids.map((id) => ({ id })) })).body.id
  const planned = async (title: string, days: number, id: number) => {
    const start = Date.now() + days * 24 * 60 * 60 * 1000
    const { status } = await service.admin.post('/admin/maintenances', {
      ...{ title, affected_items: [{ id }], scheduled_start_time: new Date(start).toISOString() },
      scheduled_end_time: new Date(start + 3_600_000).toISOString(),
    })
    expect(status).toBe(201)
  }
  const titles = (part: Part | null) => part?.entries.map(({ title }) => title).sort()

  beforeAll(async () => {
    await settings({ ...all, embed_widget_eyebrow: 'Live <b>', embed_widget_title: 'Our systems' })
    await incident('Cart is slow', 'degraded', items.cart)
    await incident('Mail is down <script>', 'major_outage', items.mail)
    await incident('For your information', 'operational', items.mail)
    await planned('Soon', 3, items.shop)
    await planned('Later', 20, items.mail)
    await state(({ launcher }) => launcher?.entries.length === 5)
  })

  test('the widget shows its texts, the state, and what the page shows now', async () => {
    const { widget } = await state(() => true)
    expect(widget).toMatchObject({ eyebrow: 'Live <b>', title: 'Our systems' })
    expect(widget?.sentence).toContain('Mail')
    const [first, second, third] = widget?.entries ?? []
    const order = [first, second, third].map((entry) => entry?.title)
    expect(order).toEqual(['Mail is down <script>', 'Cart is slow', 'For your information'])
    const path = `/incidents/1`
    expect(widget?.entries.find(({ title }) => title === 'Cart is slow')?.url).toMatch(
      new RegExp(`/status/first${path}$`),
    )
  })

  const shop = () => ({ embed_launcher_component_ids: [items.shop] })
  test.each<[string, () => object, string[]]>([
    ['all', () => ({}), ['Cart is slow', 'For your information', 'Later', 'Mail is down <script>', 'Soon']],
    ['no incidents', () => ({ embed_launcher_show_incidents: false }), ['For your information', 'Later', 'Soon']],
    [
      'nothing informational',
      () => ({ embed_launcher_show_informational: false }),
      ['Cart is slow', 'Later', 'Mail is down <script>', 'Soon'],
    ],
    [
      'no maintenances',
      () => ({ embed_launcher_show_maintenances: false }),
      ['Cart is slow', 'For your information', 'Mail is down <script>'],
    ],
    [
      'maintenances of a week',
      () => ({ embed_launcher_maintenance_days: 7 }),
      ['Cart is slow', 'For your information', 'Mail is down <script>', 'Soon'],
    ],
    ['an item with what is below', shop, ['Cart is slow', 'Soon']],
  ])('the launcher shows %s', async (_name, fields, expected) => {
    const plain = {
      ...{ embed_launcher_show_incidents: true, embed_launcher_show_informational: true },
      ...{ embed_launcher_show_maintenances: true, embed_launcher_maintenance_days: 30 },
      embed_launcher_component_ids: [],
    }
    await settings({ ...plain, ...fields() })
    const { launcher } = await state((one) => JSON.stringify(titles(one.launcher)) === JSON.stringify(expected))
    if (fields === shop) expect(JSON.stringify(launcher)).not.toContain('Mail')
    await settings(plain)
  })

  test('the launcher has its look from the settings', async () => {
    await settings({
      ...{ embed_launcher_label: 'Status', embed_launcher_position: 'top_left', embed_launcher_draggable: true },
      ...{ embed_launcher_button_display: 'icon', embed_launcher_button_color: '#123456' },
      ...{ embed_launcher_button_color_dark: '#abcdef', embed_launcher_button_text_color: '#fedcba' },
    })
    const { launcher } = await state((one) => one.launcher?.label === 'Status')
    expect(launcher).toMatchObject({
      ...{ label: 'Status', position: 'top_left', draggable: true, display: 'icon' },
      light: { color: '#123456', ink: '#fedcba' },
      dark: { color: '#abcdef', ink: '#fedcba' },
    })
  })

  test('a launcher speaks of its items alone, and shows nothing while they are all gone', async () => {
    const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'Printer' })
    await settings({ embed_launcher_component_ids: [item.id] })
    const { launcher, widget } = await state((one) => one.launcher?.entries.length === 0)
    expect(launcher?.sentence).toBe('All systems shown here are operational.')
    expect(widget?.sentence).toContain('Mail')
    await service.admin.del(`/admin/hierarchy/items/${item.id}?archive=true`)
    await state(({ launcher }) => launcher === null)
    await settings({ embed_launcher_component_ids: [] })
  })

  test('an unknown item is refused', async () => {
    const { status, body } = await settings({ embed_launcher_component_ids: [items.shop, 987_654] })
    expect([status, body.errors[0].path]).toEqual([400, 'embed_launcher_component_ids'])
  })

  test('the frame is complete without scripts, may be framed, and its texts are texts', async () => {
    const answer = await read('/embed/frame')
    const policy = answer.headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain('frame-ancestors *')
    expect(policy).toContain("default-src 'none'")
    expect((await read('/')).headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    const text = await answer.text()
    for (const shown of ['Live &lt;b&gt;', 'Our systems', 'Mail is down &lt;script&gt;', 'Soon'])
      expect(text).toContain(shown)
    expect(text).not.toMatch(/<script|<b>/)
    expect(await textOf('/embed/frame?theme=dark')).toContain('color-scheme:dark')
  })

  test('a private page has no embeds without access', async () => {
    await service.admin.patch('/admin/page', { visibility: 'private' })
    for (const path of ['/badge.svg', '/badge.json', '/embed.json', '/embed.js', '/embed/frame']) {
      await until(
        async () => [path, (await read(path)).status],
        ([, status]) => status === 404,
      )
    }
    await service.admin.patch('/admin/page', { visibility: 'public' })
  })
})
