import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
const ids: number[] = []
beforeAll(async () => {
  service = await openTestService()
  for (const title of ['one', 'two', 'three']) {
    const { body } = await service.admin.post('/admin/incidents', { title })
    ids.push(body.id)
    await service.admin.post(`/admin/incidents/${body.id}/updates`, { message: 'm' })
  }
})
afterAll(() => service.close())

const list = async (query = '') => (await service.admin.get(`/admin/notifications?limit=100${query}`)).body
const summary = (body: { notifications: { key: string; subject: { id: number } }[] }) =>
  body.notifications.map(({ key, subject }) => [key, subject.id])

test('events are listed, newest first', async () => {
  const body = await list()
  expect(summary(body)).toEqual(
    ids.toReversed().flatMap((id) => [
      ['incident.updated', id],
      ['incident.created', id],
    ]),
  )
  expect(body.total).toBe(6)
})

test('the notifications are filtered by kind, by subject, or by both', async () => {
  expect(summary(await list('&key=incident.created'))).toEqual(ids.toReversed().map((id) => ['incident.created', id]))
  expect(summary(await list(`&subject=incident:${ids[1]}`))).toEqual([
    ['incident.updated', ids[1]],
    ['incident.created', ids[1]],
  ])
  const both = await list(`&subject=incident:${ids[1]}&key=incident.updated`)
  expect([summary(both), both.total]).toEqual([[['incident.updated', ids[1]]], 1])
  for (const none of ['&subject=maintenance:1', '&subject=incident:999999']) {
    expect(await list(none)).toEqual({ notifications: [], total: 0 })
  }
})

test('one is read by its id', async () => {
  const [event] = (await list()).notifications
  expect((await service.admin.get(`/admin/notifications/${event.id}`)).body).toEqual({ ...event, counts: {} })
  expect(event).toMatchObject({ state: 'no_recipient', late: false, missed: 0, due_at: event.created_at })
})

test('the list is paged', async () => {
  const { body: first } = await service.admin.get('/admin/notifications?limit=4')
  const { body: second } = await service.admin.get(`/admin/notifications?limit=4&cursor=${first.next_cursor}`)
  expect([...summary(first), ...summary(second)]).toEqual(summary(await list()))
  expect(second.next_cursor).toBeUndefined()
})

test('another page has its own', async () => {
  const prefix = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin`
  expect((await service.otherAdmin.get(`${prefix}/notifications`)).body.total).toBe(0)
})
