import { describe, expect, test } from '@jest/globals'
import type { PageView } from '../../src/domain/pages/views/home.ts'
import { filled } from '../../src/domain/settings/schema.ts'
import { renderHome as render } from '../../src/page/home/home.ts'
import { html, jsonAttribute } from '../../src/page/markup.ts'
import { affected, incident, itemsOf, maintenance, NOW, stage, types, update, view } from './samples.ts'

const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;`

const renderHome = (page: PageView) => render(page, { base: '', path: '/' })

/** The page as it is read: without its style and its drawings. */
const wordsOf = (page: string) =>
  page
    .replace(/<(style|svg|head|script)[\s>].*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

test('the template escapes what is put into it, and nothing else', () => {
  const inner = html`<b>${'<i>'}</b>`
  const nothing = [undefined, null, false as const]
  expect(html`<p title="${`"'`}">${inner}${[1, '&']}${nothing}</p>`.markup).toBe(
    '<p title="&quot;&#39;"><b>&lt;i&gt;</b>1&amp;</p>',
  )
})

test('JSON in an attribute cannot end the attribute', () => {
  const value = [`' onload='alert(1)`, '</svg>', '&apos;', '"']
  const { markup } = html`<p data-days=${jsonAttribute(value)}></p>`
  expect(markup).toBe(`<p data-days='["&#39; onload=&#39;alert(1)","&lt;/svg>","&amp;apos;","\\""]'></p>`)
})

test('control characters are left out, and the ends of lines are kept', () => {
  expect(html`${'a\u0000b\u0008c\u001b[31md\u007fef\ng\th'}`.markup).toBe('abc[31mdef\ng\th')
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
  const page = renderHome(
    view({
      name: HOSTILE,
      items,
      status_types: types.map((type) => ({ ...type, name: HOSTILE, color: HOSTILE, icon: HOSTILE })),
      open_incidents: [report],
      resolved_incidents: [{ ...report, resolved_at: report.started_at }],
    }),
  )
  expect(page).not.toMatch(/<script>alert|<img|onerror=alert\(1\)>/i)
  expect(page.match(/&lt;script&gt;/g)!.length).toBeGreaterThan(15)
})

const busy = view({
  items: itemsOf('Shop: major_outage', 'Shop > Checkout: major_outage', 'Search'),
  open_incidents: [
    incident({
      id: 21,
      status: 'major_outage',
      title: 'Payments fail',
      description: 'First line.\nSecond line.',
      impact: 'Big.',
      lifecycle_stage: stage('Identified'),
      affected_items: affected(...itemsOf('Shop', 'Shop > Checkout').slice(1)),
      updates: [update(2, { message: 'The newer.' }), update(1, { message: 'The older.' })],
    }),
  ],
  resolved_incidents: [
    incident({ id: 9, title: 'Mail was late', status: 'resolved', resolved_at: '2026-03-02T12:24:00.000Z' }),
  ],
})

const facts = ['Payments fail', 'Major outage', 'Identified', 'Started 2 March at 10:00 UTC']

describe('the article of an open incident', () => {
  test.each([
    ['latest_update', ['The newer.', 'The older.', 'First line.', 'Impact: Big.', 'Affected: Checkout']],
    ['description', ['First line.', 'Impact: Big.', 'Affected: Checkout', 'The newer.', 'The older.']],
  ] as const)('the %s first, and the updates together', (incident_primary_message_mode, rest) => {
    const words = wordsOf(renderHome({ ...busy, settings: filled({ incident_primary_message_mode }) }))
    const places = [...facts, ...rest].map((part) => words.indexOf(part, words.indexOf('Current incidents')))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(words.split('The newer.')).toHaveLength(2)
  })

  test('an open incident without updates shows its description', () => {
    const words = wordsOf(renderHome(view({ open_incidents: [incident({ description: 'First line.' })] })))
    expect(words).toContain('First line.')
  })
})

describe('records whose texts are folded', () => {
  const listed = (display: 'detailed' | 'compact') =>
    filled({ homepage_current_activity_view_mode: 'list', homepage_current_activity_row_display: display })
  const items = itemsOf('Search', 'Mail')
  const active = maintenance({ status: 'in_progress', title: 'Upgrade', affected_items: affected(items[0]!) })
  const page = { ...busy, items, active_maintenances: [active] }
  const shown = (settings: PageView['settings']) =>
    renderHome({ ...page, settings, resolved_incidents: [{ ...busy.open_incidents[0]!, resolved_at: NOW }] })
  const cardsOf = (settings: PageView['settings']) => shown(settings).match(/<article.*?<\/article>/gs)!

  test('name their impact and their affected items once, and all say what is folded', () => {
    const records = cardsOf(listed('detailed'))
    expect(records).toHaveLength(3)
    for (const record of records) {
      expect(record.match(/Affected:/g)).toHaveLength(1)
      expect(record.match(/Impact:/g) ?? []).toHaveLength(record.includes('Upgrade') ? 0 : 1)
      expect(record.match(/<summary><span class="fold">What happened<\/span><\/summary>/g)).toHaveLength(1)
    }
  })

  test('have their impact in the fold if the settings hide it outside', () => {
    const [record] = cardsOf(filled({ ...listed('detailed'), show_incident_impact_in_collapsed: false }))
    expect(record).toMatch(/<details class="more">.*Impact:.*<\/details>/s)
    expect(record!.match(/Impact:/g)).toHaveLength(1)
  })

  test('are lines in a compact list: a title with its status', () => {
    const lines = [...shown(listed('compact')).matchAll(/<summary>(<h3.*?)<\/summary>/gs)].map(([, line]) => line!)
    expect(lines.map((line) => wordsOf(line).trim())).toEqual([
      'Payments fail Major outage Identified',
      'Upgrade In progress',
    ])
  })
})

test('the page of a part speaks of what it shows', () => {
  const part = { name: 'Search', description: '', is_empty: false }
  const page = render(view({ items: itemsOf('Search') }), { base: '', path: '/v/search' }, { all: false }, part)
  expect(wordsOf(page)).toContain(' All systems shown here are operational. ')
})

test('the incident that the state is about stands first', () => {
  const open_incidents = [incident({ status: 'operational', title: 'We watch' }), ...busy.open_incidents]
  expect(wordsOf(renderHome({ ...busy, open_incidents }))).toMatch(/Payments fail.*We watch/)
})

test('dates are written in the way of the page', () => {
  const words = wordsOf(renderHome({ ...busy, date_locale: 'de' }))
  expect(words).toContain('Started 2. März um 10:00 UTC')
  expect(words).toMatch(/Updated 2\. März 2026 um 14:05 UTC/)
})

test('open incidents come first, then the components, then what was resolved', () => {
  const headings = [...renderHome(busy).matchAll(/<h([1-3])[^>]*>(.*?)<\/h\1>/g)].map(([, level, text]) => [
    level,
    wordsOf(text!).trim(),
  ])
  expect(headings).toEqual([
    ['1', 'Acme'],
    ['2', 'Current incidents and maintenance'],
    ['3', 'Payments fail'],
    ['2', 'Components'],
    ['2', 'Past incidents'],
    ['3', 'March 2026'],
    ['3', 'Mail was late'],
  ])
  expect(wordsOf(renderHome(busy))).toMatch(
    /Mail was late Resolved 2 March at 12:24 UTC Started 2 March at 10:00 UTC Lasted 2 hours, 24 minutes/,
  )
})

test('line breaks stay where users made them', () => {
  expect(renderHome(busy)).toContain('First line.<br>\nSecond line.')
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
    const page = renderHome(shown)
    expect(wordsOf(page)).toContain(` ${sentence} `)
    expect(page).toContain(`<title>Acme: ${sentence.slice(0, -1)}</title>`)
  })
})

test('nothing external is referenced, and only scripts of the page run', () => {
  const page = renderHome(busy)
  const references = [...page.matchAll(/(?:href|src|url|action)\s*=\s*"([^"]*)"/g)].map(([, target]) => target!)
  expect(references.length).toBeGreaterThan(3)
  for (const target of references) expect(target).toMatch(/^(#|\/[\w/.#?=-]*$|data:image\/svg\+xml,)/)
  expect(page).not.toMatch(/https?:\/\/|url\(|@import|\son\w+=|\sstyle=/i)
})

test('a status has a shape and not only a colour', () => {
  const page = renderHome(busy)
  const statuses = [...page.matchAll(/<span class="is[^"]*">(.*?)<\/span>/gs)].map(([, inside]) => inside!)
  expect(statuses).toHaveLength(3)
  for (const inside of statuses)
    expect(inside).toMatch(/<bdi>[^<]+<\/bdi><svg class="s\d" aria-hidden="true"><use href="#i-\w+"/)
  expect(page).not.toMatch(/[{;]color:var\(--c\)/)
})

test('it is a document with landmarks and a language', () => {
  const page = renderHome(busy)
  expect(page).toMatch(/^<!doctype html>\s*<html lang="en" dir="ltr"/)
  for (const tag of ['header', 'main', 'footer', 'h1'])
    expect(page.match(new RegExp(`<${tag}[ >]`, 'g'))).toHaveLength(1)
  for (const [, id] of page.matchAll(/aria-labelledby="(\w+)"/g)) expect(page).toContain(`id="${id}"`)
  expect(wordsOf(page)).toMatch(/Updated 2 March 2026 at 14:05 UTC Times are in UTC\. Past incidents RSS Atom API\s*$/)
})

test('a printed page shows what is folded away on a screen', () => {
  expect(renderHome(busy)).toMatch(/@media print\{details::details-content\{[^}]*content-visibility:visible!important/)
})

test('a published report is shown with its incident', () => {
  const written = { title: 'Why mail was late', body: 'A queue.\nToo small.', published_at: '2026-03-02T13:00:00.000Z' }
  const report = { ...written, updated_at: written.published_at }
  const over = incident({ title: 'Mail was late', status: 'resolved', resolved_at: '2026-03-02T12:24:00.000Z', report })
  const page = renderHome(view({ resolved_incidents: [over] }))
  expect(wordsOf(page)).toMatch(
    /Mail was late.*Post-incident report Why mail was late Published 2 March.*13:00 UTC A queue/,
  )
  expect(page).toContain('A queue.<br>\nToo small.')
  expect(wordsOf(renderHome(busy))).not.toContain('Post-incident report')
})

describe('the language', () => {
  const report = incident({
    ...{ title: 'Suche langsam', description: 'Seit heute.', impact: 'Slow.', status: 'degraded' },
    updates: [update(4, { message: 'Wir suchen.' }), update(3, { message: 'Nous cherchons.' })],
  })
  const german = view({
    ...{ language: 'de', original_language: 'fr', date_locale: 'de', open_incidents: [report] },
    items: itemsOf('Recherche'),
    translated: { 'incident:7': ['title', 'description'], 'incident_update:4': ['message'] },
  })

  test.each([
    ['de', 'de', 'ltr'],
    ['ar-EG', 'ar', 'rtl'],
    ['sv', 'en', 'ltr'],
  ])('of a page in %s is %s, because that is the language of its labels', (language, lang, dir) => {
    expect(renderHome({ ...german, language })).toMatch(new RegExp(`<html lang="${lang}" dir="${dir}"`))
  })

  test.each([
    ['Suche langsam', 'h3', undefined],
    ['<p>Seit heute.', 'div', undefined],
    ['Slow.', 'bdi', 'fr'],
    ['<p>Wir suchen.', 'div', undefined],
    ['<p>Nous cherchons.', 'div', 'fr'],
    ['Recherche', 'bdi', 'fr'],
    ['Acme', 'bdi', 'fr'],
    ['2. März um 10:00 UTC', 'time', undefined],
    ['Beeinträchtigt', 'bdi', undefined],
  ])('of "%s" is the lang attribute of its element', (text, tag, lang) => {
    const found = [...renderHome(german).matchAll(new RegExp(`<${tag}([^>]*)>${text}`, 'g'))]
    expect(found.length).toBeGreaterThan(0)
    for (const [, attributes] of found) expect(/ lang="(\w+)"/.exec(attributes!)?.[1]).toBe(lang)
  })

  test('is an attribute of the document alone on a page that is English throughout', () => {
    expect(renderHome(busy).match(/ lang="/g)).toHaveLength(1)
  })
})

test('a big group is folded away until something in it is not operational', () => {
  const lines = Array.from({ length: 10 }, (_, n) => `Cloud > Zone ${n}`)
  const calm = renderHome(view({ items: itemsOf('Cloud', ...lines) }))
  expect(calm).toMatch(/<details><summary[^>]*>\s*<span class="name"><bdi>Cloud/)
  expect(wordsOf(calm)).toContain('(10)')
  const troubled = renderHome(
    view({ items: itemsOf('Cloud: degraded', ...lines.slice(1), 'Cloud > Zone 0: degraded') }),
  )
  expect(troubled).toMatch(/<details open><summary[^>]*>\s*<span class="name"><bdi>Cloud/)
})

test('the list has a row for each item, with the names of its parents, so that no status is hidden', () => {
  const items = itemsOf('EU: major_outage', 'EU > API', 'EU > API > Read: degraded', 'US', 'US > API')
  const page = render(view({ items }), { base: '', path: '/' }, { all: false, view: 'basic' })
  const rows = [...page.matchAll(/<li id="item-\d+">(.*?)<\/li>/gs)].map(([, row]) => wordsOf(row!).trim())
  expect(rows).toEqual([
    'EU Major outage',
    'EU / API Operational',
    'EU / API / Read Degraded',
    'US Operational',
    'US / API Operational',
  ])
})

test('long lists are folded, and the page shows how many entries are left out', () => {
  const items = itemsOf(...Array.from({ length: 20 }, (_, n) => `Item ${n}`))
  const updates = Array.from({ length: 120 }, (_, n) => update(120 - n))
  const words = wordsOf(
    renderHome(
      view({ items, open_incidents: [incident({ affected_items: affected(...items), updates })], open_total: 60 }),
    ),
  )
  expect(words).toContain('8 more affected')
  expect(words).toContain('Earlier updates: 115')
  expect(words).toContain('20 earlier updates are')
  expect(words).toContain('59 more are open')
})

test('a page of 100 items is one small document', () => {
  const lines = Array.from({ length: 10 }, (_, g) => [
    `Product ${g}`,
    ...Array.from({ length: 9 }, (_, n) => `Product ${g} > Component ${n}`),
  ])
  expect(Buffer.byteLength(renderHome(view({ items: itemsOf(...lines.flat()) })))).toBeLessThan(60_000)
})

test('maintenances are shown while they go on and before they begin, with their windows and what they affect', () => {
  const items = itemsOf('Shop: maintenance', 'Shop > Checkout: maintenance')
  const active = maintenance({
    ...{ id: 3, status: 'in_progress', title: 'Database upgrade', started_at: '2026-03-02T13:58:00.000Z' },
    affected_items: affected(items[1]!),
    updates: [
      {
        ...update(5, { message: 'We have begun.' }),
        maintenance_id: 3,
        status: 'in_progress',
        previous_status: 'scheduled',
      },
    ],
  })
  const upcoming = maintenance({ id: 4, title: HOSTILE, description: HOSTILE, affected_items_freetext: HOSTILE })
  const page = renderHome(view({ items, active_maintenances: [active], upcoming_maintenances: [upcoming] }))
  expect(page).not.toMatch(/<script>alert|<img/i)
  const words = wordsOf(page)
  expect(words).toContain('Maintenance of Checkout.')
  expect(words).toMatch(
    /Current incidents and maintenance Database upgrade In progress From 2 March.*13:58 UTC to 16:00 UTC/,
  )
  expect(words).toMatch(/Affected: Checkout.*We have begun\..*Components.*Planned maintenance/)
  expect(words).toMatch(/Scheduled From 2 March.*15:00 UTC to 16:00 UTC/)
})

test('a page without maintenances has no section for maintenances', () => {
  expect(wordsOf(renderHome(view({})))).not.toMatch(/maintenance/i)
})
