import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const refused = (path: string) => [400, [{ path, message: 'must be one line without control characters' }]]

test.each([
  ['site_title', 'Acme\r\nBcc: eve@example.com'],
  ['site_title', 'Acme\u2028Status'],
  ['site_subtitle', 'Acme\nStatus'],
  ['email_from_name', 'Acme\r\nBcc: eve@example.com'],
  ['email_from_name', 'Acme\u0007'],
  ['email_smtp_username', 'acme\tx'],
  ['embed_badge_label', 'Acme\nUp'],
  ['reliability_policy_label', 'Acme\nGold'],
])('the setting %s with %j is refused', async (field, value) => {
  const { status, body } = await service.admin.patch('/admin/settings', { [field]: value })
  expect([status, body.errors]).toEqual(refused(field))
  const links = await service.admin.patch('/admin/settings', {
    header_navigation_links: [{ label: value, url: '/help' }],
  })
  expect([links.status, links.body.errors]).toEqual(refused('header_navigation_links.0.label'))
})

test('a translation of a title is one line too, and a text of several lines stays possible', async () => {
  const translations = (values: object) => ({ translations: [{ locale: 'de', values }] })
  const { status, body } = await service.admin.patch('/admin/settings', translations({ site_title: 'Acme\nStatus' }))
  expect([status, body.errors]).toEqual(refused('translations.0.values.site_title'))
  const footer = await service.admin.patch('/admin/settings', {
    footer_text: 'Acme\nStatus',
    site_title: 'Acme Status',
  })
  expect(footer.body).toMatchObject({ footer_text: 'Acme\nStatus', site_title: 'Acme Status' })
})

test.each([
  ['/admin/hierarchy/items', {}],
  ['/admin/views', { items: [] }],
  ['/admin/feeds', {}],
  ['/admin/status-types', { key: 'odd' }],
])('a name of several lines is refused at %s', async (path, fields) => {
  const { status, body } = await service.admin.post(path, { ...fields, name: 'Search\r\nBcc: eve@example.com' })
  expect([status, body.errors]).toEqual([400, expect.arrayContaining(refused('name')[1] as object[])])
})
