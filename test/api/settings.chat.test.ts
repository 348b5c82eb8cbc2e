import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const path = '/admin/chat/settings'

const defaults = {
  reminder_interval_minutes: null,
  maintenance_reminder_pre_start_intervals: '',
  maintenance_reminder_pre_end_minutes: null,
  maintenance_reminder_overrun_interval_minutes: null,
}

test('a page without an interval writes no reminders', async () => {
  const { status, body } = await service.admin.get(path)
  expect([status, body]).toEqual([200, { ...defaults, version: 1, updated_at: null }])
})

test('the default interval is set and cleared, and known to the page’s operators alone', async () => {
  const set = await service.admin.patch(path, { reminder_interval_minutes: 45, version: 1 })
  expect([set.status, set.body]).toEqual([
    200,
    { ...defaults, reminder_interval_minutes: 45, version: 2, updated_at: expect.any(String) },
  ])
  expect((await service.admin.get(path)).body).toEqual(set.body)
  for (const address of ['/settings', '/admin/settings']) {
    expect((await service.admin.get(address)).body).not.toHaveProperty('reminder_interval_minutes')
  }
  const [event] = (await service.admin.get('/admin/audit-events?limit=1')).body.audit_events
  expect(event).toMatchObject({
    operation: 'chat_settings.update',
    before: { reminder_interval_minutes: null },
    after: { reminder_interval_minutes: 45 },
  })
  expect(
    (await service.admin.patch(path, { reminder_interval_minutes: null })).body.reminder_interval_minutes,
  ).toBeNull()
})

test('the page’s settings stay when those of the chat app change, and share their version', async () => {
  const { version } = (await service.admin.patch('/admin/settings', { document_locale: 'de' })).body
  const chat = await service.admin.patch(path, { reminder_interval_minutes: 10, version })
  expect([chat.status, chat.body.version]).toEqual([200, version + 1])
  expect((await service.admin.get('/admin/settings')).body).toMatchObject({
    document_locale: 'de',
    version: version + 1,
  })
  expect((await service.admin.patch(path, { reminder_interval_minutes: 20, version })).status).toBe(409)
})

test.each([
  [{ reminder_interval_minutes: 0 }, 'reminder_interval_minutes'],
  [{ reminder_interval_minutes: 1.5 }, 'reminder_interval_minutes'],
  [{ reminder_interval_minutes: 43_201 }, 'reminder_interval_minutes'],
  [{ maintenance_reminder_pre_start_intervals: 'soon' }, 'maintenance_reminder_pre_start_intervals'],
  [{ maintenance_reminder_pre_end_minutes: 0 }, 'maintenance_reminder_pre_end_minutes'],
  [{ maintenance_reminder_overrun_interval_minutes: 0 }, 'maintenance_reminder_overrun_interval_minutes'],
  [{ reminder_interval_locked: true }, 'reminder_interval_locked'],
  [{ document_locale: 'de' }, 'document_locale'],
])('%j is refused', async (body, where) => {
  const refused = await service.admin.patch(path, body)
  expect([refused.status, refused.body.errors[0].path]).toEqual([400, where])
})
