import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'

let house: House
const ids: number[] = []
beforeAll(async () => {
  house = await openHouse()
  for (const title of ['one', 'two', 'three']) {
    const { body } = await house.admin.post('/admin/incidents', { title })
    ids.push(body.id)
    await house.admin.post(`/admin/incidents/${body.id}/updates`, { message: 'm' })
  }
})
afterAll(() => house.close())

const list = async (query = '') => (await house.admin.get(`/admin/notifications?limit=100${query}`)).body
const told = (body: { notifications: { key: string; subject: { id: number } }[] }) =>
  body.notifications.map(({ key, subject }) => [key, subject.id])

test('events are listed, newest first', async () => {
  const body = await list()
  expect(told(body)).toEqual(
    ids.toReversed().flatMap((id) => [
      ['incident.updated', id],
      ['incident.created', id],
    ]),
  )
  expect(body.total).toBe(6)
})

test('of one kind, about one subject, or both', async () => {
  expect(told(await list('&key=incident.created'))).toEqual(ids.toReversed().map((id) => ['incident.created', id]))
  expect(told(await list(`&subject=incident:${ids[1]}`))).toEqual([
    ['incident.updated', ids[1]],
    ['incident.created', ids[1]],
  ])
  const both = await list(`&subject=incident:${ids[1]}&key=incident.updated`)
  expect([told(both), both.total]).toEqual([[['incident.updated', ids[1]]], 1])
  for (const none of ['&subject=maintenance:1', '&subject=incident:999999']) {
    expect(await list(none)).toEqual({ notifications: [], total: 0 })
  }
})

test('one is read by its id', async () => {
  const [event] = (await list()).notifications
  expect((await house.admin.get(`/admin/notifications/${event.id}`)).body).toEqual(event)
  expect(event).toMatchObject({ state: 'queued', late: false, missed: 0, due_at: event.created_at })
})

test('the list is paged', async () => {
  const { body: first } = await house.admin.get('/admin/notifications?limit=4')
  const { body: second } = await house.admin.get(`/admin/notifications?limit=4&cursor=${first.next_cursor}`)
  expect([...told(first), ...told(second)]).toEqual(told(await list()))
  expect(second.next_cursor).toBeUndefined()
})

test('another page has its own', async () => {
  const prefix = `/orgs/${house.otherPage.organization_id}/pages/${house.otherPage.id}/admin`
  expect((await house.otherAdmin.get(`${prefix}/notifications`)).body.total).toBe(0)
})
