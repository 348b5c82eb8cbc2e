import { describe, expect, test } from '@jest/globals'
import { renderPage } from '../../src/page/html.ts'
import { html } from '../../src/page/markup.ts'
import { affected, incident, itemsOf, stage, types, update, view } from './samples.ts'

const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;`

/** The page as it is read: without its style and its drawings. */
const wordsOf = (page: string) =>
  page
    .replace(/<(style|svg|head)[\s>].*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('the template escapes what is put into it, and nothing else', () => {
  const inner = html`<b>${'<i>'}</b>`
  const nothing = [undefined, null, false as const]
  expect(html`<p title="${`"'`}">${inner}${[1, '&']}${nothing}</p>`.markup).toBe(
    '<p title="&quot;&#39;"><b>&lt;i&gt;</b>1&amp;</p>',
  )
})

test('whatever users write is text', () => {
  const items = itemsOf('Search').map((item) => ({ ...item, name: HOSTILE, description: HOSTILE, status: HOSTILE }))
  const report = incident({
    title: HOSTILE,
    description: HOSTILE,
    impact: HOSTILE,
    affected_items_freetext: HOSTILE,
    affected_items: affected(...items),
    lifecycle_stage: stage(HOSTILE),
    updates: [update(1, { message: HOSTILE, status: HOSTILE })],
  })
  const page = renderPage(
    view({
      name: HOSTILE,
      items,
      status_types: types.map((type) => ({ ...type, name: HOSTILE, color: HOSTILE, icon: HOSTILE })),
      open_incidents: [report],
      resolved_incidents: [{ ...report, resolved_at: report.started_at }],
    }),
  )
  expect(page).not.toMatch(/<script|<img|onerror=alert\(1\)>/i)
  expect(page.match(/&lt;script&gt;/g)!.length).toBeGreaterThan(15)
})

const busy = view({
  items: itemsOf('Shop: major_outage', 'Shop > Checkout: major_outage', 'Search'),
  open_incidents: [
    incident({
      id: 21,
      status: 'major_outage',
      title: 'Nobody can pay',
      description: 'First line.\nSecond line.',
      lifecycle_stage: stage('Identified'),
      affected_items: affected(...itemsOf('Shop', 'Shop > Checkout').slice(1)),
      updates: [update(2, { message: 'The newer.' }), update(1, { message: 'The older.' })],
    }),
  ],
  resolved_incidents: [
    incident({ id: 9, title: 'Mail was late', status: 'resolved', resolved_at: '2026-03-02T12:24:00.000Z' }),
  ],
})

test('an open incident says all there is to know', () => {
  const words = wordsOf(renderPage(busy))
  const parts = [
    'Nobody can pay',
    'Major outage',
    'Identified',
    'Started 2 March, 10:00 UTC',
    'First line.',
    'Affected: Checkout',
    'The newer.',
    'The older.',
  ]
  const places = parts.map((part) => words.indexOf(part, words.indexOf('Open incidents')))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test('open incidents come first, then the components, then what was resolved', () => {
  const headings = [...renderPage(busy).matchAll(/<h([1-3])[^>]*>(.*?)<\/h\1>/g)].map(([, level, text]) => [
    level,
    wordsOf(text!).trim(),
  ])
  expect(headings).toEqual([
    ['1', 'Acme'],
    ['2', 'Open incidents'],
    ['3', 'Nobody can pay'],
    ['2', 'Components'],
    ['2', 'Resolved in the last 14 days'],
    ['3', 'Mail was late'],
  ])
  expect(wordsOf(renderPage(busy))).toMatch(/Mail was late Resolved 2 March, 12:24 UTC Lasted 2 hours 24 minutes/)
})

test('line breaks stay where users made them', () => {
  const page = renderPage(busy)
  expect(page).toContain('First line.\nSecond line.')
  expect(page).toContain('.said{white-space:pre-line}')
})

describe('each state renders its sentence', () => {
  test.each([
    ['a quiet page', view({ items: itemsOf('Search') }), 'All systems are operational.'],
    ['an empty page', view(), 'All systems are operational.'],
    ['an outage', busy, 'Major outage of Checkout.'],
    [
      'many in trouble',
      view({ items: itemsOf('Search: degraded', 'Web: degraded', 'API: degraded') }),
      'Degraded: Search and 2 more.',
    ],
    ['an incident without items', view({ open_incidents: [incident()] }), 'Degraded.'],
  ])('%s', (_case, shown, sentence) => {
    const page = renderPage(shown)
    expect(wordsOf(page)).toContain(` ${sentence} `)
    expect(page).toContain(`<title>Acme: ${sentence.slice(0, -1)}</title>`)
  })
})

test('nothing external is referenced, and nothing runs', () => {
  const page = renderPage(busy)
  const references = [...page.matchAll(/(?:href|src|url|action)\s*=\s*"([^"]*)"/g)].map(([, target]) => target!)
  expect(references.length).toBeGreaterThan(3)
  for (const target of references) expect(target).toMatch(/^(#|\/api\/docs$|data:image\/svg\+xml,)/)
  expect(page).not.toMatch(/https?:\/\/|url\(|@import|<script|\son\w+=|\sstyle=/i)
})

test('a status is never told by its colour alone', () => {
  const page = renderPage(busy)
  const statuses = [...page.matchAll(/<span class="is[^"]*">(.*?)<\/span>/gs)].map(([, inside]) => inside!)
  expect(statuses).toHaveLength(3)
  for (const inside of statuses)
    expect(inside).toMatch(/<bdi>[^<]+<\/bdi><svg class="s\d" aria-hidden="true"><use href="#i-\w+"/)
  expect(page).not.toMatch(/[{;]color:var\(--c\)/)
})

test('it is a document with landmarks and a language', () => {
  const page = renderPage(busy)
  expect(page).toMatch(/^<!doctype html>\s*<html lang="en">/)
  for (const tag of ['header', 'main', 'footer', 'h1']) expect(page.match(new RegExp(`<${tag}>`, 'g'))).toHaveLength(1)
  for (const [, id] of page.matchAll(/aria-labelledby="(\w+)"/g)) expect(page).toContain(`id="${id}"`)
  expect(wordsOf(page)).toMatch(/Updated at 14:05 UTC, 2 March 2026 API\s*$/)
})

test('a big group is folded away until something in it is not operational', () => {
  const lines = Array.from({ length: 10 }, (_, n) => `Cloud > Zone ${n}`)
  const calm = renderPage(view({ items: itemsOf('Cloud', ...lines) }))
  expect(calm).toMatch(/<details><summary[^>]*>\s*<span class="name"><bdi>Cloud/)
  expect(wordsOf(calm)).toContain('10 components')
  const troubled = renderPage(
    view({ items: itemsOf('Cloud: degraded', ...lines.slice(1), 'Cloud > Zone 0: degraded') }),
  )
  expect(troubled).toMatch(/<details open><summary[^>]*>\s*<span class="name"><bdi>Cloud/)
})

test('long lists are folded away and what is left out is said', () => {
  const items = itemsOf(...Array.from({ length: 20 }, (_, n) => `Item ${n}`))
  const updates = Array.from({ length: 120 }, (_, n) => update(120 - n))
  const words = wordsOf(
    renderPage(
      view({ items, open_incidents: [incident({ affected_items: affected(...items), updates })], open_total: 60 }),
    ),
  )
  expect(words).toContain('8 more affected')
  expect(words).toContain('115 earlier updates')
  expect(words).toContain('20 more before these')
  expect(words).toContain('59 more are open')
})

test('a page of 100 items is one small document', () => {
  const lines = Array.from({ length: 10 }, (_, g) => [
    `Product ${g}`,
    ...Array.from({ length: 9 }, (_, n) => `Product ${g} > Component ${n}`),
  ])
  expect(Buffer.byteLength(renderPage(view({ items: itemsOf(...lines.flat()) })))).toBeLessThan(30_000)
})
