import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const execute = <T>(sql: string, parameters: unknown[] = []) =>
  service.services.system.em.fork().execute<T[]>(sql, parameters)
const create = async (fields: object) => (await service.admin.post('/admin/subscribers', fields)).body
const preferencesOf = async (id: number) => {
  const { body } = await service.admin.get(`/admin/subscribers/${id}/preferences`)
  return { version: body.subscriber.version, state: body.subscriber.state, subscriptions: body.subscriptions }
}
const scope = (...ids: number[]) => ({ scope: { kind: 'items', items: ids.map((id) => ({ id })) } })
const items = (...ids: number[]) => ({ kind: 'items', items: ids.map((id) => expect.objectContaining({ id })) })

test('a deleted item leaves the scopes, and a subscription without items is disabled', async () => {
  const [kept, gone] = [await makeItem(service, 'Search'), await makeItem(service, 'Old search')]
  const { id } = await create({
    ...{ channel: 'email', email: 'reader@example.com' },
    subscriptions: [scope(gone, kept), scope(gone), scope(kept), {}],
  })
  const other = await create({ channel: 'email', email: 'other@example.com', subscriptions: [scope(kept)] })
  const before = await preferencesOf(id)
  expect((await service.admin.del(`/admin/hierarchy/items/${gone}`)).status).toBe(200)
  expect(await preferencesOf(id)).toMatchObject({
    version: before.version + 1,
    state: before.state,
    subscriptions: [
      { scope: items(kept), enabled: true },
      { scope: items(), enabled: false },
      { scope: items(kept), enabled: true },
      { scope: { kind: 'page' }, enabled: true },
    ],
  })
  expect(await preferencesOf(other.id)).toMatchObject({ version: 1, subscriptions: [{ enabled: true }] })
  const stored = await execute('select items, enabled from subscription where subscriber_id = ? order by id', [id])
  expect(stored).toEqual([
    ...[
      { items: [kept], enabled: true },
      { items: [], enabled: false },
    ],
    ...[
      { items: [kept], enabled: true },
      { items: [], enabled: true },
    ],
  ])
})

test('a deleted view takes its subscriptions along, which changes their subscribers alone', async () => {
  const item = await makeItem(service, 'Shop')
  const { body: view } = await service.admin.post('/admin/views', { name: 'Shops', items: [{ id: item }] })
  const ofView = { scope: { kind: 'view', view_id: view.id } }
  const reader = { channel: 'email', email: 'view@example.com', subscriptions: [ofView, ofView, scope(item)] }
  const { id } = await create(reader)
  const other = await create({ channel: 'email', email: 'no-view@example.com' })
  expect((await service.admin.del(`/admin/views/${view.id}`)).status).toBe(200)
  expect(await preferencesOf(id)).toMatchObject({ version: 2, subscriptions: [{ scope: items(item) }] })
  expect((await preferencesOf(other.id)).version).toBe(1)
})

test('an archived item stays in the scopes, because it can return', async () => {
  const item = await makeItem(service, 'Archive')
  const { id } = await create({ channel: 'email', email: 'archive@example.com', subscriptions: [scope(item)] })
  await service.admin.del(`/admin/hierarchy/items/${item}?archive=true`)
  expect(await preferencesOf(id)).toMatchObject({ version: 1, subscriptions: [{ scope: items(item), enabled: true }] })
})

test('deliveries to a deleted subscriber stay without its address', async () => {
  const email = 'Jo+1@Example.com'
  const { id, page_id } = await subscriberRow(email)
  const other = await subscriberRow('o+1@example.com')
  const [event] = await execute<{ id: string }>(
    `insert into notification_event (page_id, key, natural_key, subject_kind, subject_id, due_at, created_at, late, missed, state, data)
      values (?, 'incident.created', 'test', 'incident', 1, now(), now(), false, 0, 'done', '{}') returning id`,
    [page_id],
  )
  const answers = ['250 ok', '550 <jo+1@example.com>: unknown, see jo+1@example.com', '550 joo1@example.com']
  const attempts = JSON.stringify(answers.map((answer) => ({ at: '2026-11-23T10:00:00Z', answer, duration_ms: 3 })))
  for (const { id: subscriber, address } of [{ id, address: email.toLowerCase() }, other]) {
    await execute(
      `insert into delivery (page_id, notification_id, subscriber_id, channel, address, state, attempts, digest, created_at, updated_at)
        values (?, ?, ?, 'email', ?, 'failed', ?, false, now(), now())`,
      [page_id, event!.id, subscriber, address, attempts],
    )
  }
  expect((await service.admin.del(`/admin/subscribers/${id}`)).status).toBe(200)
  const rows = await execute<{ address: string; attempts: { answer: string }[] }>(
    'select address, attempts from delivery order by id',
  )
  const name = `deleted subscriber ${id}`
  expect(rows.map(({ address, attempts: made }) => [address, made.map(({ answer }) => answer)])).toEqual([
    [name, ['250 ok', `550 <${name}>: unknown, see ${name}`, '550 joo1@example.com']],
    ['o+1@example.com', answers],
  ])
  expect(rows[0]?.attempts[1]).toMatchObject({ at: '2026-11-23T10:00:00Z', duration_ms: 3 })
})

async function subscriberRow(email: string) {
  const { id } = await create({ channel: 'email', email, confirmed: true })
  const [row] = await execute<{ id: number; page_id: number; address: string }>(
    'select id, page_id, address from subscriber where id = ?',
    [id],
  )
  return row!
}
