import { describe, expect, test } from '@jest/globals'
import { isMonth, monthAfter, monthBefore } from '../../src/domain/pages/views/month-rules.ts'
import { folded } from '../../src/domain/pages/views/search-rules.ts'
import { contrast, legible } from '../../src/domain/settings/color-rules.ts'
import { isLinkTarget } from '../../src/domain/settings/rules.ts'
import { filled } from '../../src/domain/settings/schema.ts'
import { wordsOfMarkdown } from '../../src/domain/texts/markdown-rules.ts'
import { chartPath } from '../../src/page/home/chart-rules.ts'
import { groupedBy, sectionsInOrder, subtreeOf, viewsOf } from '../../src/page/home/rules.ts'
import { drawingOf, widthOf } from '../../src/page/items/bars-rules.ts'
import { runsOf } from '../../src/page/items/day-rules.ts'
import { html } from '../../src/page/markup.ts'
import { listInWords } from '../../src/page/site/list-rules.ts'
import { inlineMarkdownOf, markdownOf } from '../../src/page/site/markdown.ts'
import { themeOf } from '../../src/page/site/theme-rules.ts'

describe('sections', () => {
  const all = ['status', 'current_activity', 'components', 'metrics', 'upcoming_maintenance', 'past_incidents']
  test.each([
    [[], [], all],
    [['past_incidents'], [], ['past_incidents', ...all.slice(0, 5)]],
    [[], ['metrics'], all.filter((name) => name !== 'metrics')],
    [['components', 'metrics'], ['metrics'], ['components', 'status', ...all.slice(1, 2), ...all.slice(4)]],
  ])('%j first, without %j', (homepage_section_order, homepage_hidden_sections, shown) => {
    expect(sectionsInOrder(filled({ homepage_section_order, homepage_hidden_sections }))).toEqual(shown)
  })
})

test.each([
  [true, true, 'tree', undefined, ['tree', 'basic'], 'tree'],
  [true, true, 'basic', undefined, ['tree', 'basic'], 'basic'],
  [true, true, 'tree', 'basic', ['tree', 'basic'], 'basic'],
  [true, false, 'basic', undefined, ['tree'], 'tree'],
  [true, false, 'tree', 'basic', ['tree'], 'tree'],
  [false, true, 'tree', undefined, ['basic'], 'basic'],
  [false, false, 'tree', undefined, [], 'tree'],
])('tree %p, basic %p, first %s, asked for %s: %j with %s', (tree, basic, mode, asked, views, view) => {
  const settings = filled({
    enable_tree_view_on_homepage: tree,
    enable_basic_view_on_homepage: basic,
    homepage_hierarchy_view_mode: mode,
  })
  expect(viewsOf(settings, asked)).toEqual({ views, view })
})

test('a part of the tree is an item with everything below it', () => {
  const items = [{ id: 1 }, { id: 2, parent_id: 1 }, { id: 3 }, { id: 4, parent_id: 2 }, { id: 5, parent_id: 3 }]
  expect(subtreeOf(items, 1)?.map(({ id }) => id)).toEqual([1, 2, 4])
  expect(subtreeOf(items, 5)?.map(({ id }) => id)).toEqual([5])
  expect(subtreeOf(items, 9)).toBeUndefined()
})

test('a record is in the group of each of its keys', () => {
  const records = [['a', 'b'], ['b'], ['a']]
  expect(groupedBy(records, (keys) => keys)).toEqual([
    ['a', [records[0], records[2]]],
    ['b', [records[0], records[1]]],
  ])
})

describe('bars', () => {
  type Days = Parameters<typeof drawingOf>[0]
  const lookOf = (status: string) => ({ className: `c-${status}`, planned: status === 'maintenance' })
  const drawn = (days: Days, known: Days = [], used = new Set<string | null>()) =>
    drawingOf(days, { lookOf, calm: 'operational', known, used })
  const day = (uptime_percent: number | null, seconds: Record<string, number>, incident_ids: number[] = []) => ({
    ...{ date: '2026-03-02', status: 'operational', maintenance_ids: [] },
    ...{ uptime_percent, seconds, incident_ids },
  })
  const daysOf = (statuses: (string | null)[]) => statuses.map((status) => ({ ...day(null, {}), status }))

  test('are one dashed line for each look, lower for maintenance and for days without data', () => {
    const used = new Set<string | null>()
    const days = daysOf(['operational', 'maintenance', null, 'operational', 'operational'])
    expect(drawn(days, [], used).strokes).toEqual([
      { className: 'c-operational', height: 30, path: 'M0 15h3M12 15h7' },
      { className: 'c-maintenance', height: 20, path: 'M4 20h3' },
      { className: 'nd', height: 8, path: 'M8 26h3' },
    ])
    expect([...used]).toEqual(['operational', 'maintenance', null])
    expect(widthOf(5)).toBe(19)
  })

  test.each([
    ['a calm day is left out', day(100, { operational: 86_400 }), []],
    ['a day with an incident', day(100, { operational: 86_400 }, [7]), [[0, 100, { operational: 86_400 }, [7], []]]],
    ['a day with another status', day(100, { maintenance: 60 }), [[0, 100, { maintenance: 60 }, [], []]]],
    ['a day before the item began', { ...day(null, {}), status: null }, []],
  ])('%s', (_case, one, packed) => {
    expect(drawn([one]).packed).toEqual(packed)
  })

  test.each([
    [[], 0],
    [[null, null], 2],
    [[null, 'degraded', null], 1],
    [['operational', null], 0],
  ])('of the days %j the first with data is %d', (statuses, began) => {
    expect(drawn(daysOf(statuses)).began).toBe(began)
  })

  test('a day without data after others is packed as well', () => {
    const list = daysOf([null, 'operational', null])
    list[1] = day(100, { operational: 60 })
    expect(drawn(list).packed).toEqual([[2, null, {}, [], []]])
  })

  test('calm days that items share are looked at once', () => {
    const [calm, bad] = [day(100, { operational: 60 }), { ...day(50, { degraded: 60 }), status: 'degraded' }]
    const known: Days = []
    const { strokes, packed } = drawn([calm, bad], known)
    expect([known, packed.length]).toEqual([[calm], 1])
    Object.assign(calm, { uptime_percent: 1 })
    expect(drawn([calm, bad], known).packed).toEqual(packed)
    expect(drawn([calm, bad], known).strokes).toEqual(strokes)
  })
})

test.each([
  [[], ''],
  [[null, null], ''],
  [[10, 5, 0], 'M0 2L5 10L10 18'],
  [[10, null, 10], 'M0 2h.1M10 2h.1'],
  [[4], 'M0 2h.1'],
])('the line through %j is %s', (values, path) => {
  expect(chartPath(values, { width: 10, height: 20 })).toBe(path)
})

test.each([
  ['2026-02', true],
  ['2026-13', false],
  ['2026-2', false],
  ['1989-12', false],
  ['9999-01', false],
  ['2026-02-01', false],
])('%s is a month: %p', (text, is) => {
  expect(isMonth(text)).toBe(is)
})

test('months follow each other over the year', () => {
  expect([monthAfter('2026-12'), monthBefore('2026-01')]).toEqual(['2027-01', '2025-12'])
})

test('a search ignores case and accents', () => {
  expect(folded('Größe Ünïcode Ｆｕｌｌ')).toBe('große unicode full')
})

test.each([
  ['https://example.com/a?b#c', true],
  ['mailto:help@example.com', true],
  ['/help', true],
  ['/', true],
  ['//example.com', false],
  ['/\\example.com', false],
  ['http://example.com', false],
  ['javascript:alert(1)', false],
  ['JaVaScRiPt:alert(1)', false],
  ['data:text/html,x', false],
  ['mailto:', false],
  ['https://exa mple.com', false],
  ['help', false],
  ['', false],
])('the link target %j is accepted: %p', (target, is) => {
  expect(isLinkTarget(target)).toBe(is)
})

test.each(['#ffffff', '#ffff00', '#000000', '#0b5cad', '#2f9e44', '#808080'])(
  '%s is mixed until it is legible',
  (color) => {
    for (const background of ['#f5f6f8', '#1a1e23']) {
      expect(contrast(legible(color, background), background)).toBeGreaterThanOrEqual(4.5)
    }
  },
)

test('a legible colour stays as it is', () => {
  expect(legible('#0b5cad', '#ffffff')).toBe('#0b5cad')
})

test('an address of the settings cannot end the style or its place in it', () => {
  const page_background_url = `https://example.com/a.png?x="');}</style><script>('\\'`
  const css = themeOf(filled({ page_background_mode: 'image', page_background_url }))
  const inside = /url\("([^"]*)"\)/.exec(css)![1]!
  expect(inside).toMatch(/^https:\/\/example\.com\/a\.png\?x=/)
  expect(inside).not.toMatch(/["'()<>\\\s]/)
})

describe('days in the rows of a table', () => {
  const quiet = { uptime_percent: 100, status: 'operational', incident_ids: [], maintenance_ids: [] }
  const day = (date: string, fields: object = {}) => ({ date, ...quiet, seconds: { operational: 86_400 }, ...fields })

  test.each([
    ['quiet days', {}, {}, 1],
    ['days of 23 and 24 hours', { seconds: { operational: 82_800 } }, {}, 1],
    ['days without data', { uptime_percent: null, status: null, seconds: {} }, {}, 2],
    ['an incident', { incident_ids: [1] }, { incident_ids: [1] }, 2],
    ['a maintenance', {}, { maintenance_ids: [1] }, 2],
    ['another status', {}, { seconds: { degraded: 86_400 } }, 2],
    ['another uptime', {}, { uptime_percent: 99 }, 2],
    [
      'two statuses',
      { seconds: { operational: 86_000, degraded: 400 } },
      { seconds: { operational: 86_000, degraded: 400 } },
      2,
    ],
  ])('%s', (_name, one, other, rows) => {
    const days = [day('2026-03-02', one), day('2026-03-01', other)]
    expect(runsOf(days)).toHaveLength(rows)
    expect(runsOf(days).flat()).toEqual(days)
  })

  test('a run has any number of days', () => {
    const dates = ['05', '04', '03', '02', '01']
    const days = dates.map((date) => day(date, date === '03' ? { incident_ids: [1] } : {}))
    expect(runsOf(days).map((run) => run.map(({ date }) => date))).toEqual([['05', '04'], ['03'], ['02', '01']])
  })
})

describe('texts as Markdown', () => {
  test.each([
    ['plain\nlines', '<p>plain<br>\nlines</p>'],
    ['**bold** and `code`', '<p><strong>bold</strong> and <code>code</code></p>'],
    ['<b>not HTML</b>', '<p>&lt;b&gt;not HTML&lt;/b&gt;</p>'],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
    ['[x](data:text/html,x)', '<p>[x](data:text/html,x)</p>'],
    ['[x](/relative)', '<p>[x](/relative)</p>'],
    [
      '[x](https://example.com "a\\"b")',
      '<p><a href="https://example.com" title="a&quot;b" rel="noopener noreferrer nofollow">x</a></p>',
    ],
    [
      'see https://example.com/a',
      '<p>see <a href="https://example.com/a" rel="noopener noreferrer nofollow">https://example.com/a</a></p>',
    ],
    ['example.com and a@example.com', '<p>example.com and a@example.com</p>'],
    ['# A heading', '<p><b>A heading</b></p>'],
    ['a\u0008b\u001b[1mc', '<p>ab[1mc</p>'],
  ])('%j', (text, markup) => {
    expect(markdownOf(text).markup).toBe(markup)
  })

  test.each([
    ['![x](https://example.com/x.png)', '<p>x</p>'],
    ['![a <b> *c*][1]\n\n[1]: https://example.com/x.png', '<p>a &lt;b&gt; c</p>', 'a <b> c'],
    [
      '[![x](https://example.com/x.png)](https://example.com)',
      '<p><a href="https://example.com" rel="noopener noreferrer nofollow">x</a></p>',
    ],
  ])('of the image %j only its text is left', (text, markup, words = 'x') => {
    expect([markdownOf(text).markup, wordsOfMarkdown(text)]).toEqual([markup, words])
  })

  test('a line has no paragraphs', () => {
    expect(inlineMarkdownOf('a *b*').markup).toBe('a <em>b</em>')
  })

  test.each(['['.repeat(20_000), '*a '.repeat(6000), '>'.repeat(20_000), '`a'.repeat(10_000), '- '.repeat(10_000)])(
    'a text that is costly for some parsers is read',
    (text) => {
      expect(markdownOf(text)).toMatchObject({ markup: expect.any(String) })
    },
  )
})

describe('names in a row', () => {
  const bold = (name: string) => html`<b>${name}</b>`

  test.each([
    ['en', ['A', 'B', 'C'], 'A, B, and C'],
    ['de', ['A', 'B', 'C'], 'A, B und C'],
    ['ja', ['A', 'B', 'C'], 'A、B、C'],
    ['ar', ['A', 'B', 'C'], 'A وB وC'],
    ['ar', ['A'], 'A'],
    ['en', [], ''],
  ])('have the separators of the language %s: %j', (language, names, expected) => {
    expect(listInWords(names, language).join('')).toBe(expected)
  })

  test('can be markup, and text among them is escaped', () => {
    expect(html`${listInWords([bold('A'), '<B>'], 'fr')}`.markup).toBe('<b>A</b> et &lt;B&gt;')
  })
})
