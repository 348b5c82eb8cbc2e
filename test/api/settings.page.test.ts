import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { laterFields } from '../../src/domain/settings/groups/index.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const path = '/admin/settings'
const anonymous = () => service.as(undefined)

const defaults = {
  allow_reopening_closed_incidents: true,
  require_incident_ack_before_updates: false,
  require_resolution_reason: false,
  incident_primary_message_mode: 'description',
  datetime_locale: '',
  document_locale: 'en',
  supported_locales: [],
  multilingual_enabled: false,
  multilingual_public_ready: false,
  homepage_upcoming_maintenance_days: 30,
  notify_on_long_running_incidents: false,
  long_running_incident_no_update_hours: 24,
  long_running_incident_notify_email: false,
  notify_on_long_running_maintenances: false,
  long_running_maintenance_notify_email: false,
  long_running_maintenance_after_end_hours: 2,
  reliability_maintenance_counts_as_uptime: true,
  reliability_policy_label: '',
  reliability_policy_timezone: 'UTC',
  reliability_target_uptime_percent: null,
  synthetics_enabled: true,
  synthetics_region: '',
  brand_color_dark: '',
  brand_color_light: '',
  logo_url: '',
  logo_url_dark: '',
  site_title: '',
  ...{ body_font_preset: 'system', body_font_url: '', heading_font_preset: 'system', heading_font_url: '' },
  ...{ custom_css: '', custom_body_script_url: '', custom_head_script_url: '', favicon_url: '', footer_text: '' },
  ...{ site_subtitle: '', show_site_title: true },
  public_theme_profile: { color_scheme: 'auto', radius: 'large', density: 'comfortable', status_colors: 'types' },
  ...{ page_background_mode: 'plain', page_background_url: '', page_layout: 'narrow', header_action_style: 'button' },
  ...{ header_background_url: '', header_identity_mode: 'logo_and_title', header_layout: 'left' },
  ...{ header_show_subscribe: true, header_show_theme_toggle: true, header_show_timezone: true },
  ...{ header_navigation_links: [], footer_navigation_links: [], default_component_item_id: null },
  ...{ homepage_history_bars_days: 90, enable_basic_view_on_homepage: true, enable_tree_view_on_homepage: true },
  ...{ show_component_by_default: false, show_history_bars_on_homepage: true, show_incident_affected_summary: true },
  ...{ show_incident_impact_in_collapsed: true, show_incident_last_updated_at: true, show_incident_started_at: true },
  ...{ show_incident_view_details_link: true, homepage_current_activity_row_display: 'detailed' },
  ...{ homepage_current_activity_view_mode: 'cards', homepage_default_incident_group_by: 'month' },
  ...{ homepage_hierarchy_view_mode: 'tree', homepage_default_collapsed_sections: [], homepage_hidden_sections: [] },
  homepage_section_order: [],
  ...{ embed_badge_enabled: false, embed_badge_label: '', embed_widget_enabled: false, embed_widget_eyebrow: '' },
  ...{ embed_widget_title: '', embed_launcher_enabled: false, embed_launcher_label: '' },
  ...{ embed_launcher_button_color: '', embed_launcher_button_color_dark: '', embed_launcher_button_text_color: '' },
  ...{ embed_launcher_button_display: 'icon_and_text', embed_launcher_position: 'bottom_right' },
  ...{ embed_launcher_draggable: false, embed_launcher_show_incidents: true, embed_launcher_show_informational: true },
  ...{ embed_launcher_show_maintenances: true, embed_launcher_maintenance_days: 30, embed_launcher_component_ids: [] },
}

/** What the public does not read. */
const mail = { email_delivery_mode: 'log', email_from_name: '', email_smtp_host: '', email_smtp_port: '587' }
const addresses = {
  long_running_incident_email_recipients: '',
  long_running_maintenance_email_recipients: '',
  email_from_address: '',
  email_reply_to_address: '',
  email_smtp_username: '',
}

const nothingSet = Object.fromEntries(Object.keys({ ...defaults, ...mail, ...addresses }).map((name) => [name, null]))
beforeEach(() => service.admin.patch(path, nothingSet))

test('a page that set nothing has the defaults, and a version to send back', async () => {
  const { status, body } = await service.otherAdmin.get(
    `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin/settings`,
  )
  expect(status).toBe(200)
  expect(body).toEqual({ ...defaults, ...mail, ...addresses, translations: [], version: 1, updated_at: null })
})

test.each([
  ['allow_reopening_closed_incidents', false],
  ['require_incident_ack_before_updates', true],
  ['require_resolution_reason', true],
  ['incident_primary_message_mode', 'latest_update'],
  ['datetime_locale', 'de-CH'],
  ['document_locale', 'fr'],
  ['supported_locales', ['en', 'pt-BR']],
  ['multilingual_enabled', true],
  ['multilingual_public_ready', true],
  ['homepage_upcoming_maintenance_days', 7],
  ['notify_on_long_running_maintenances', true],
  ['long_running_maintenance_after_end_hours', 8],
  ['long_running_maintenance_notify_email', true],
  ['notify_on_long_running_incidents', true],
  ['long_running_incident_no_update_hours', 8],
  ['long_running_incident_notify_email', true],
  ['reliability_maintenance_counts_as_uptime', false],
  ['reliability_policy_label', 'Gold'],
  ['reliability_policy_timezone', 'Europe/Berlin'],
  ['reliability_target_uptime_percent', 99.95],
  ['synthetics_enabled', false],
  ['synthetics_region', 'eu-west'],
  ['brand_color_dark', '#80c0ff'],
  ['brand_color_light', '#0b5cad'],
  ['logo_url', 'https://cdn.example.com/logo.png'],
  ['logo_url_dark', 'https://cdn.example.com/dark.png'],
  ['site_title', 'Acme status'],
  ['body_font_preset', 'serif'],
  ['body_font_url', 'https://cdn.example.com/body.woff2'],
  ['heading_font_preset', 'mono'],
  ['heading_font_url', 'https://cdn.example.com/heading.woff2'],
  ['custom_css', 'h1{color:#333}'],
  ['custom_body_script_url', 'https://cdn.example.com/body.js'],
  ['custom_head_script_url', 'https://cdn.example.com/head.js'],
  ['favicon_url', 'https://cdn.example.com/icon.png'],
  ['footer_text', 'Made by [Acme](https://example.com)'],
  ['site_subtitle', 'All services of Acme'],
  ['show_site_title', false],
  ['public_theme_profile', { color_scheme: 'dark', radius: 'none', density: 'compact', status_colors: 'accessible' }],
  ['page_background_url', 'https://cdn.example.com/background.jpg'],
  ['page_layout', 'wide'],
  ['header_action_style', 'link'],
  ['header_background_url', 'https://cdn.example.com/header.jpg'],
  ['header_identity_mode', 'title'],
  ['header_layout', 'center'],
  ['header_show_subscribe', false],
  ['header_show_theme_toggle', false],
  ['header_show_timezone', false],
  ['header_navigation_links', [{ label: 'Help', url: '/help', new_tab: false }]],
  ['footer_navigation_links', [{ label: 'Mail', url: 'mailto:help@example.com', new_tab: true }]],
  ['homepage_history_bars_days', 30],
  ['enable_basic_view_on_homepage', false],
  ['enable_tree_view_on_homepage', false],
  ['show_history_bars_on_homepage', false],
  ['show_incident_affected_summary', false],
  ['show_incident_impact_in_collapsed', false],
  ['show_incident_last_updated_at', false],
  ['show_incident_started_at', false],
  ['show_incident_view_details_link', false],
  ['homepage_current_activity_row_display', 'compact'],
  ['homepage_current_activity_view_mode', 'list'],
  ['homepage_default_incident_group_by', 'item'],
  ['homepage_hierarchy_view_mode', 'basic'],
  ['homepage_default_collapsed_sections', ['metrics']],
  ['homepage_hidden_sections', ['past_incidents', 'metrics']],
  ['homepage_section_order', ['components', 'status']],
] as const)('%s is set, kept, shown to everybody, and null brings the default back', async (name, value) => {
  const { version } = (await service.admin.get(path)).body
  const set = await service.admin.patch(path, { [name]: value, version })
  expect([set.status, set.body]).toEqual([
    200,
    {
      ...defaults,
      ...mail,
      ...addresses,
      translations: [],
      [name]: value,
      version: version + 1,
      updated_at: expect.any(String),
    },
  ])
  expect((await service.admin.get(path)).body).toEqual(set.body)
  expect((await anonymous().get('/settings')).body).toEqual({ ...defaults, [name]: value })
  expect((await service.admin.patch(path, { [name]: null })).body[name]).toEqual(defaults[name])
})

test('a token without admin reach reads the settings without addresses of people', async () => {
  const viewer = service.as(await service.token({ permission: 'read', roleKey: 'page_viewer' }))
  const { status, body } = await viewer.get(path)
  const { version: _version, updated_at: _updated, translations: _translations, ...settings } = body
  expect([status, settings]).toEqual([200, { ...defaults, ...mail }])
  expect(Object.keys(body).filter((name) => /recipients|address|password/.test(name))).toEqual([])
})

test('what a request does not name stays as it is, and what was read may be sent back', async () => {
  const { body } = await service.admin.patch(path, { require_resolution_reason: true })
  expect((await service.admin.patch(path, { document_locale: 'de' })).body.require_resolution_reason).toBe(true)
  const again = await service.admin.patch(path, { ...body, version: undefined })
  expect(again.body).toMatchObject({ require_resolution_reason: true, document_locale: 'en' })
})

test('a time zone takes its usual spelling', async () => {
  const { body } = await service.admin.patch(path, { reliability_policy_timezone: 'europe/berlin' })
  expect(body.reliability_policy_timezone).toBe('Europe/Berlin')
})

test('language tags take their usual spelling', async () => {
  const { body } = await service.admin.patch(path, {
    supported_locales: ['EN', 'zh-hans-cn'],
    document_locale: 'EN',
    datetime_locale: 'DE-ch',
  })
  expect(body).toMatchObject({
    supported_locales: ['en', 'zh-Hans-CN'],
    document_locale: 'en',
    datetime_locale: 'de-CH',
  })
})

describe('refused', () => {
  test.each([
    [{ document_locale: 'de_DE' }, 'document_locale', 'must be a BCP 47 language tag such as pt-BR'],
    [{ datetime_locale: 'de_DE' }, 'datetime_locale', 'must be a BCP 47 language tag such as pt-BR'],
    [
      { datetime_locale: 'zz' },
      'datetime_locale',
      'must be a language whose dates the service can write, such as de-CH',
    ],
    [
      { incident_primary_message_mode: 'title' },
      'incident_primary_message_mode',
      'must be one of "description", "latest_update"',
    ],
    [{ supported_locales: ['en', '!'] }, 'supported_locales.1', 'must be a BCP 47 language tag such as pt-BR'],
    [{ supported_locales: ['pt-br', 'pt-BR'] }, 'supported_locales', 'must not name a language twice'],
    [{ supported_locales: ['de', 'fr'] }, 'document_locale', '"en" must be among supported_locales, which are de, fr'],
    [
      { supported_locales: ['de'], document_locale: 'fr' },
      'document_locale',
      '"fr" must be among supported_locales, which are de',
    ],
    [
      { reliability_policy_timezone: '+02:00' },
      'reliability_policy_timezone',
      'must be a time zone of the tz database such as Europe/Berlin',
    ],
    [{ reliability_target_uptime_percent: 100.1 }, 'reliability_target_uptime_percent', 'must be at most 100'],
    [{ require_resolution_reason: 'yes' }, 'require_resolution_reason', 'must be true or false'],
    [{ synthetics_region: 'EU West' }, 'synthetics_region', 'must be the name of a region, such as eu-west'],
    [{ reminder_interval_minutes: 5 }, 'reminder_interval_minutes', 'is not a field of this request'],
    ...(
      [
        ['logo_url', 'http://cdn.example.com/logo.png'],
        ['custom_head_script_url', 'https://*.example.com/x.js'],
        ['custom_body_script_url', 'https://user:pw@example.com/x.js'],
        ['body_font_url', 'https://*/body.woff2'],
        ['page_background_url', 'https://user@example.com/a.png'],
        ['favicon_url', 'icon.png'],
      ] as const
    ).map(
      ([field, url]) =>
        [{ [field]: url }, field, 'must be an https address of one host, without a user name or password'] as const,
    ),
    [{ brand_color_light: 'red' }, 'brand_color_light', expect.any(String)],
    [{ brand_color_light: 5 }, 'brand_color_light', 'must be a text'],
    [{ logo_url: 5 }, 'logo_url', 'must be a text'],
    [{ nonsense: 1 }, 'nonsense', 'is not a field of this request'],
    [
      { enable_basic_view_on_homepage: false, enable_tree_view_on_homepage: false },
      'enable_tree_view_on_homepage',
      'must be true while enable_basic_view_on_homepage is false',
    ],
    [
      { show_component_by_default: true },
      'default_component_item_id',
      'must name an item while show_component_by_default is true',
    ],
    [
      { default_component_item_id: 987_654 },
      'default_component_item_id',
      'must name an item: there is none with the id 987654',
    ],
    [{ body_font_preset: 'custom' }, 'body_font_url', 'must be an address while body_font_preset is "custom"'],
    [
      { page_background_mode: 'image' },
      'page_background_url',
      'must be an address while page_background_mode is "image"',
    ],
    [{ homepage_hidden_sections: ['status'] }, 'homepage_hidden_sections.0', expect.any(String)],
    [{ homepage_section_order: ['metrics', 'metrics'] }, 'homepage_section_order', 'must not name a section twice'],
    [{ homepage_history_bars_days: 0 }, 'homepage_history_bars_days', expect.any(String)],
    [{ header_navigation_links: [{ label: ' ', url: '/x' }] }, 'header_navigation_links.0.label', expect.any(String)],
    [{ page_layout: 'huge' }, 'page_layout', 'must be one of "narrow", "wide"'],
    [{ public_theme_profile: { radius: 'round' } }, 'public_theme_profile.radius', expect.any(String)],
    ...['javascript:alert(1)', '//evil.example', '/\\evil.example', 'http://example.com', 'mailto:'].map(
      (url) =>
        [
          { header_navigation_links: [{ label: 'Help', url }] },
          'header_navigation_links.0.url',
          'must be an https address, a mailto address, or a path such as /help',
        ] as const,
    ),
  ])('%j', async (body, where, message) => {
    const before = (await service.admin.get(path)).body
    const refused = await service.admin.patch(path, body)
    expect([refused.status, refused.body.errors]).toEqual([400, [{ path: where, message }]])
    expect((await service.admin.get(path)).body).toEqual(before)
  })

  test('titles and labels of blanks are none', async () => {
    const { body } = await service.admin.patch(path, { site_title: '   ', embed_badge_label: ' State ' })
    expect(body).toMatchObject({ site_title: '', embed_badge_label: 'State' })
    await service.admin.patch(path, { embed_badge_label: '' })
  })

  test('too many languages are refused', async () => {
    const many = Array.from({ length: 51 }, (_one, index) => `en-${100 + index}`)
    expect((await service.admin.patch(path, { supported_locales: many })).status).toBe(400)
  })

  test.each(Object.keys(laterFields))('%s, which is not implemented yet', async (name) => {
    const { status, body } = await service.admin.patch(path, { [name]: null })
    expect([status, body.errors]).toEqual([400, [{ path: name, message: 'is not accepted yet' }]])
  })

  test('leaving a language out that the page is written in', async () => {
    await service.admin.patch(path, { supported_locales: ['de', 'fr'], document_locale: 'fr' })
    expect((await service.admin.patch(path, { document_locale: null })).body.errors[0].path).toBe('document_locale')
    expect((await service.admin.patch(path, { document_locale: null, supported_locales: null })).status).toBe(200)
  })
})
