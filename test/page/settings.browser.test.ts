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

const CDN = 'https://cdn.example.com'
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const image = { contentType: 'image/png', body: PIXEL }
const script = (name: string) => ({ contentType: 'text/javascript', body: `document.title += ' ${name}'` })
const files = {
  ...{ [`${CDN}/logo.png`]: image, [`${CDN}/dark.png`]: image, [`${CDN}/icon.png`]: image, [`${CDN}/back.png`]: image },
  ...{ [`${CDN}/head.js`]: script('head'), [`${CDN}/body.js`]: script('body') },
  [`${CDN}/font.woff2`]: { contentType: 'font/woff2', body: '' },
}

const style = (selector: string, property: string) =>
  `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue('${property}')`
const text = (selector: string) => `document.querySelector(${JSON.stringify(selector)})?.innerText ?? null`
const count = (selector: string) => `document.querySelectorAll(${JSON.stringify(selector)}).length`
const loaded = (selector: string) => `document.querySelector(${JSON.stringify(selector)})?.naturalWidth ?? 0`
const sections = `[...document.querySelectorAll('[data-part]')].map((one) => one.dataset.part).join(' ')`
const requested = (address: string) => `performance.getEntriesByName('${address}').length`
const link = (url: string) => [{ label: 'Help', url, new_tab: true }]
const profile = (part: object) => ({ public_theme_profile: part })
const all = 'status current_activity components upcoming_maintenance past_incidents'

interface Case {
  settings: Record<string, unknown>
  /** An expression in the page. */
  shown: string
  before: unknown
  after: unknown
  path?: string
  dark?: boolean
  locale?: string
}

const cases: [string, Case][] = [
  [
    'body_font_preset',
    {
      settings: { body_font_preset: 'serif' },
      shown: style('body', 'font-family'),
      before: expect.stringContaining('system-ui'),
      after: expect.stringContaining('Georgia'),
    },
  ],
  [
    'body_font_url',
    {
      settings: { body_font_preset: 'custom', body_font_url: `${CDN}/font.woff2` },
      shown: requested(`${CDN}/font.woff2`),
      before: 0,
      after: 1,
    },
  ],
  [
    'heading_font_preset',
    {
      settings: { heading_font_preset: 'mono' },
      shown: style('h1', 'font-family'),
      before: expect.stringContaining('system-ui'),
      after: expect.stringContaining('Menlo'),
    },
  ],
  [
    'heading_font_url',
    {
      settings: { heading_font_preset: 'custom', heading_font_url: `${CDN}/font.woff2` },
      shown: requested(`${CDN}/font.woff2`),
      before: 0,
      after: 1,
    },
  ],
  [
    'brand_color_light',
    {
      settings: { brand_color_light: '#7a1f5c' },
      shown: style('.button', 'background-color'),
      before: 'rgb(11, 92, 173)',
      after: 'rgb(122, 31, 92)',
    },
  ],
  [
    'brand_color_dark',
    {
      settings: { brand_color_dark: '#ffcc00' },
      shown: style('.button', 'background-color'),
      before: 'rgb(124, 184, 245)',
      after: 'rgb(255, 204, 0)',
      dark: true,
    },
  ],
  [
    'custom_css',
    {
      settings: { custom_css: 'h1{letter-spacing:7px}' },
      shown: style('h1', 'letter-spacing'),
      before: expect.not.stringMatching('7px'),
      after: '7px',
    },
  ],
  [
    'custom_head_script_url',
    {
      settings: { custom_head_script_url: `${CDN}/head.js` },
      shown: 'document.title',
      before: expect.not.stringMatching(/head$/),
      after: expect.stringMatching(/ head$/),
    },
  ],
  [
    'custom_body_script_url',
    {
      settings: { custom_body_script_url: `${CDN}/body.js` },
      shown: 'document.title',
      before: expect.not.stringMatching(/body$/),
      after: expect.stringMatching(/ body$/),
    },
  ],
  [
    'favicon_url',
    {
      settings: { favicon_url: `${CDN}/icon.png` },
      shown: `document.querySelector('link[rel=icon]').href`,
      before: expect.stringMatching(/^data:/),
      after: `${CDN}/icon.png`,
    },
  ],
  ['logo_url', { settings: { logo_url: `${CDN}/logo.png` }, shown: loaded('.logo'), before: 0, after: 1 }],
  [
    'logo_url_dark',
    {
      settings: { logo_url: `${CDN}/logo.png`, logo_url_dark: `${CDN}/dark.png` },
      shown: `[...document.querySelectorAll('.logo')].filter((one) => one.checkVisibility()).map((one) => one.src).join()`,
      before: '',
      after: `${CDN}/dark.png`,
      dark: true,
    },
  ],
  [
    'footer_text',
    { settings: { footer_text: 'Made by **us**' }, shown: text('footer .prose'), before: null, after: 'Made by us' },
  ],
  [
    'site_subtitle',
    { settings: { site_subtitle: 'All services' }, shown: text('.subtitle'), before: null, after: 'All services' },
  ],
  ['site_title', { settings: { site_title: 'Acme status' }, shown: text('h1'), before: 'First', after: 'Acme status' }],
  [
    'show_site_title',
    {
      settings: { show_site_title: false, logo_url: `${CDN}/logo.png` },
      shown: count('h1 .hidden'),
      before: 0,
      after: 1,
    },
  ],
  [
    'public_theme_profile',
    {
      settings: profile({ color_scheme: 'dark' }),
      shown: style('body', 'background-color'),
      before: 'rgb(245, 246, 248)',
      after: 'rgb(17, 20, 23)',
    },
  ],
  [
    'public_theme_profile',
    {
      settings: profile({ radius: 'none' }),
      shown: style('.card', 'border-top-left-radius'),
      before: '12px',
      after: '0px',
    },
  ],
  [
    'public_theme_profile',
    { settings: profile({ density: 'compact' }), shown: style('.row', 'padding-top'), before: '10px', after: '6px' },
  ],
  [
    'public_theme_profile',
    {
      settings: profile({ status_colors: 'accessible' }),
      shown: style('.state svg', '--c'),
      before: '#c92a2a',
      after: '#b3420a',
    },
  ],
  [
    'page_background_mode',
    {
      settings: { page_background_mode: 'image', page_background_url: `${CDN}/back.png` },
      shown: style('body', 'background-image'),
      before: 'none',
      after: `url("${CDN}/back.png")`,
    },
  ],
  [
    'page_background_url',
    {
      settings: { page_background_mode: 'image', page_background_url: `${CDN}/back.png` },
      shown: requested(`${CDN}/back.png`),
      before: 0,
      after: 1,
    },
  ],
  [
    'page_layout',
    { settings: { page_layout: 'wide' }, shown: style('body', 'max-width'), before: '800px', after: '1152px' },
  ],
  [
    'header_action_style',
    { settings: { header_action_style: 'link' }, shown: count('nav a.button'), before: 1, after: 0 },
  ],
  [
    'header_background_url',
    {
      settings: { header_background_url: `${CDN}/back.png` },
      shown: style('.top', 'background-image'),
      before: 'none',
      after: `url("${CDN}/back.png")`,
    },
  ],
  [
    'header_identity_mode',
    {
      settings: { header_identity_mode: 'title', logo_url: `${CDN}/logo.png` },
      shown: `${count('.logo')} + ' ' + ${count('h1 .hidden')}`,
      before: '0 0',
      after: '0 0',
    },
  ],
  [
    'header_identity_mode',
    {
      settings: { header_identity_mode: 'logo', logo_url: `${CDN}/logo.png` },
      shown: `${count('.logo')} + ' ' + ${count('h1 .hidden')}`,
      before: '0 0',
      after: '1 1',
    },
  ],
  [
    'header_layout',
    { settings: { header_layout: 'center' }, shown: style('.bar', 'text-align'), before: 'start', after: 'center' },
  ],
  [
    'header_show_subscribe',
    { settings: { header_show_subscribe: false }, shown: count('a[href="/subscribe"]'), before: 1, after: 0 },
  ],
  [
    'header_show_theme_toggle',
    {
      settings: { header_show_theme_toggle: false },
      shown: count('[data-theme-toggle]:not([hidden])'),
      before: 1,
      after: 0,
    },
  ],
  [
    'header_show_timezone',
    { settings: { header_show_timezone: false }, shown: count('[data-zone]'), before: 1, after: 0 },
  ],
  [
    'header_navigation_links',
    {
      settings: { header_navigation_links: link('https://example.com/help') },
      shown: count('header a[href="https://example.com/help"][target=_blank][rel="noopener noreferrer"]'),
      before: 0,
      after: 1,
    },
  ],
  [
    'footer_navigation_links',
    {
      settings: { footer_navigation_links: link('mailto:help@example.com') },
      shown: text('footer a[href="mailto:help@example.com"]'),
      before: null,
      after: 'Help',
    },
  ],
  [
    'default_component_item_id',
    {
      settings: { show_component_by_default: true, default_component_item_id: 'shop' },
      shown: `[...document.querySelectorAll('.tree>li .name')].map((one) => one.innerText)`,
      before: expect.arrayContaining(['Platform']),
      after: expect.not.arrayContaining(['Platform']),
    },
  ],
  [
    'show_component_by_default',
    {
      settings: { show_component_by_default: true, default_component_item_id: 'shop' },
      shown: count('a[href="/?items=all"]'),
      before: 0,
      after: 1,
    },
  ],
  [
    'homepage_history_bars_days',
    {
      settings: { homepage_history_bars_days: 30 },
      shown: text('.scale'),
      before: expect.stringContaining('90'),
      after: expect.stringContaining('30'),
    },
  ],
  [
    'homepage_upcoming_maintenance_days',
    {
      settings: { homepage_upcoming_maintenance_days: 3 },
      shown: `document.body.innerText.includes('Planned upgrade')`,
      before: true,
      after: false,
    },
  ],
  [
    'enable_basic_view_on_homepage',
    { settings: { enable_basic_view_on_homepage: false }, shown: count('.views a'), before: 2, after: 0 },
  ],
  [
    'enable_tree_view_on_homepage',
    {
      settings: { enable_tree_view_on_homepage: false },
      shown: `${count('.tree ul')} > 0`,
      before: true,
      after: false,
    },
  ],
  [
    'homepage_hierarchy_view_mode',
    {
      settings: { homepage_hierarchy_view_mode: 'basic' },
      shown: text('.views [aria-current]'),
      before: 'Tree',
      after: 'List',
    },
  ],
  [
    'show_history_bars_on_homepage',
    { settings: { show_history_bars_on_homepage: false }, shown: `${count('.bars')} > 0`, before: true, after: false },
  ],
  [
    'show_incident_affected_summary',
    {
      settings: { show_incident_affected_summary: false },
      shown: `document.querySelector('#current_activity').innerText.includes('Affected:')`,
      before: true,
      after: false,
    },
  ],
  [
    'show_incident_impact_in_collapsed',
    {
      settings: { show_incident_impact_in_collapsed: false, homepage_current_activity_view_mode: 'list' },
      shown: `document.querySelector('#current_activity article, #current_activity .brief').innerText.includes('All cards')`,
      before: true,
      after: false,
    },
  ],
  [
    'show_incident_last_updated_at',
    {
      settings: { show_incident_last_updated_at: false },
      shown: `document.querySelector('#current_activity').innerText.includes('Last update')`,
      before: true,
      after: false,
    },
  ],
  [
    'show_incident_started_at',
    {
      settings: { show_incident_started_at: false },
      shown: `document.querySelector('#current_activity').innerText.includes('Started')`,
      before: true,
      after: false,
    },
  ],
  [
    'show_incident_view_details_link',
    {
      settings: { show_incident_view_details_link: false },
      shown: `document.querySelector('#current_activity').innerText.includes('View details')`,
      before: true,
      after: false,
    },
  ],
  [
    'homepage_current_activity_view_mode',
    {
      settings: { homepage_current_activity_view_mode: 'list' },
      shown: count('#current_activity details.brief'),
      before: 0,
      after: 1,
    },
  ],
  [
    'homepage_current_activity_row_display',
    {
      settings: { homepage_current_activity_view_mode: 'list', homepage_current_activity_row_display: 'compact' },
      shown: `document.querySelector('#current_activity').innerText.includes('Started')`,
      before: true,
      after: false,
    },
  ],
  [
    'homepage_default_incident_group_by',
    {
      settings: { homepage_default_incident_group_by: 'item' },
      shown: text('.when-of'),
      before: expect.stringMatching(/\d{4}$/),
      after: expect.not.stringMatching(/\d{4}$/),
    },
  ],
  [
    'homepage_default_collapsed_sections',
    {
      settings: { homepage_default_collapsed_sections: ['components'] },
      shown: `document.querySelector('#components').open`,
      before: true,
      after: false,
    },
  ],
  [
    'homepage_hidden_sections',
    {
      settings: { homepage_hidden_sections: ['past_incidents'] },
      shown: sections,
      before: all,
      after: 'status current_activity components upcoming_maintenance',
    },
  ],
  [
    'homepage_section_order',
    {
      settings: { homepage_section_order: ['past_incidents', 'components'] },
      shown: sections,
      before: all,
      after: 'past_incidents components status current_activity upcoming_maintenance',
    },
  ],
  [
    'datetime_locale',
    {
      settings: { datetime_locale: 'de' },
      shown: text('footer time'),
      before: expect.not.stringContaining(' um '),
      after: expect.stringContaining(' um '),
    },
  ],
  [
    'document_locale',
    { settings: { document_locale: 'fr' }, shown: 'document.documentElement.lang', before: 'en', after: 'fr' },
  ],
  [
    'supported_locales',
    {
      settings: { multilingual_enabled: true, multilingual_public_ready: true, supported_locales: ['en', 'de'] },
      shown: count('.languages a'),
      before: 0,
      after: 2,
    },
  ],
  [
    'multilingual_enabled',
    {
      settings: { multilingual_enabled: true, multilingual_public_ready: true },
      shown: text('h3'),
      before: 'Payments fail',
      after: 'Zahlungen gestört',
      locale: 'de',
    },
  ],
  [
    'multilingual_public_ready',
    {
      settings: { multilingual_enabled: true, multilingual_public_ready: true },
      shown: text('h3'),
      before: 'Payments fail',
      after: 'Zahlungen gestört',
      locale: 'de',
    },
  ],
  [
    'reliability_maintenance_counts_as_uptime',
    {
      settings: { reliability_maintenance_counts_as_uptime: false },
      shown: text('.panel .soft'),
      before: expect.stringContaining('Maintenance counts as uptime'),
      after: expect.stringContaining('Maintenance counts by its weight'),
      path: 'item',
    },
  ],
  [
    'reliability_policy_timezone',
    {
      settings: { reliability_policy_timezone: 'Asia/Tokyo' },
      shown: text('[data-zone]'),
      before: expect.stringContaining('UTC'),
      after: expect.stringContaining('Asia/Tokyo'),
    },
  ],
  [
    'reliability_target_uptime_percent',
    {
      settings: { reliability_target_uptime_percent: 99.9 },
      shown: `document.body.innerText.includes('Target: 99.9%')`,
      before: false,
      after: true,
      path: 'item',
    },
  ],
  [
    'reliability_policy_label',
    {
      settings: { reliability_target_uptime_percent: 99.9, reliability_policy_label: 'Gold' },
      shown: `document.body.innerText.includes('(Gold)')`,
      before: false,
      after: true,
      path: 'item',
    },
  ],
]

/** One window for each kind of reader. */
const windows = new Map<string, Promise<Page>>()

async function see({ shown, path, dark = false, locale = 'en' }: Case): Promise<unknown> {
  const key = `${dark} ${locale}`
  const opening = windows.get(key) ?? openPage(service, '/', { dark, locale, files })
  windows.set(key, opening)
  const page = await opening
  await page.goto(service.url + (path === 'item' ? itemPath : '/'))
  return page.evaluate(shown)
}

const wholePath = ({ path = '', dark, locale = '' }: Case) => `${path} ${dark} ${locale}`

test('without settings, the page has its defaults', async () => {
  for (const [, group] of Map.groupBy(cases, ([, one]) => wholePath(one))) {
    const [[, first]] = group as [[string, Case]]
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
  expect(await see(one)).toEqual(one.after)
  const nothing = Object.fromEntries(Object.keys(settings).map((name) => [name, null]))
  expect((await service.admin.patch('/admin/settings', nothing)).status).toBe(200)
})

test('every setting of the page is in the table', () => {
  const fields = [branding, layout, homepage, locales, reliability].flatMap(({ working }) => Object.keys(working))
  const named = new Set(cases.map(([name]) => name))
  expect(fields.filter((name) => !named.has(name))).toEqual([])
})
