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
  expect(body).toEqual({ ...defaults, ...mail, ...addresses, version: 1, updated_at: null })
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
] as const)('%s is set, kept, shown to everybody, and null brings the default back', async (name, value) => {
  const { version } = (await service.admin.get(path)).body
  const set = await service.admin.patch(path, { [name]: value, version })
  expect([set.status, set.body]).toEqual([
    200,
    { ...defaults, ...mail, ...addresses, [name]: value, version: version + 1, updated_at: expect.any(String) },
  ])
  expect((await service.admin.get(path)).body).toEqual(set.body)
  expect((await anonymous().get('/settings')).body).toEqual({ ...defaults, [name]: value })
  expect((await service.admin.patch(path, { [name]: null })).body[name]).toEqual(defaults[name])
})

test('a token without admin reach reads the settings without addresses of people', async () => {
  const viewer = service.as(await service.token({ permission: 'read', roleKey: 'page_viewer' }))
  const { status, body } = await viewer.get(path)
  const { version: _version, updated_at: _updated, ...settings } = body
  expect([status, settings]).toEqual([200, { ...defaults, ...mail }])
  expect(Object.keys(body).filter((name) => /recipients|address|password/.test(name))).toEqual([])
})

test('what a request does not name stays as it is, and what was read may be sent back', async () => {
  const { body } = await service.admin.patch(path, { require_resolution_reason: true })
  expect((await service.admin.patch(path, { document_locale: 'de' })).body.require_resolution_reason).toBe(true)
  const again = await service.admin.patch(path, { ...body, version: undefined })
  expect(again.body).toMatchObject({ require_resolution_reason: true, document_locale: 'en' })
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
    [{ logo_url: 'http://cdn.example.com/logo.png' }, 'logo_url', expect.any(String)],
    [{ brand_color_light: 'red' }, 'brand_color_light', expect.any(String)],
    [{ nonsense: 1 }, 'nonsense', 'is not a field of this request'],
  ])('%j', async (body, where, message) => {
    const before = (await service.admin.get(path)).body
    const refused = await service.admin.patch(path, body)
    expect([refused.status, refused.body.errors]).toEqual([400, [{ path: where, message }]])
    expect((await service.admin.get(path)).body).toEqual(before)
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
