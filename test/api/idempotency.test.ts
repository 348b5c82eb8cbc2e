import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { IdempotencyRecord } from '../../src/persistence/entities/idempotency-record.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import type { Caller } from '../support/caller.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'
import { tracesOf } from './support/traces.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-05-01T12:00:00Z') })
})
afterAll(() => service.close())

let count = 0
const newKey = () => {
  count += 1
  return `key ${count}`
}
const report = (key: string, body: object = { title: 'Down' }, caller: Caller = service.admin) =>
  caller.post('/admin/incidents', body, { 'Idempotency-Key': key })

test('the same request again is answered with the first answer, and nothing is done', async () => {
  const key = newKey()
  const first = await report(key)
  const left = await tracesOf(service)
  const woken = service.woken.length
  const again = await report(key)
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect([again.status, again.body]).toEqual([first.status, first.body])
  expect(again.headers.get('location')).toBe(first.headers.get('location'))
  expect(await tracesOf(service)).toEqual(left)
  expect(service.woken).toHaveLength(woken)
})

test('the order of the fields does not make another request', async () => {
  const key = newKey()
  const first = await report(key, { title: 'Down', description: 'd' })
  const again = await report(key, { description: 'd', title: 'Down' })
  expect(again.body.id).toBe(first.body.id)
})

test('the answer is replayed as it was, whatever has happened since', async () => {
  const key = newKey()
  const { body } = await report(key)
  await service.admin.post(`/admin/incidents/${body.id}/resolve`)
  expect((await report(key)).body).toEqual(body)
})

test('another body, or the same for another record, is 422', async () => {
  const key = newKey()
  const { body } = await report(key)
  const other = await report(key, { title: 'Up' })
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
  const elsewhere = await service.admin.post(
    `/admin/incidents/${body.id}/updates`,
    { title: 'Down' },
    { 'Idempotency-Key': key },
  )
  expect(elsewhere.status).toBe(400)
  const update = { message: 'm' }
  const elsewhereToo = await service.admin.post(`/admin/incidents/${body.id}/updates`, update, {
    'Idempotency-Key': key,
  })
  expect(elsewhereToo.status).toBe(422)
})

test('an update that is sent twice is posted once', async () => {
  const { body } = await report(newKey())
  const post = () =>
    service.admin.post(
      `/admin/incidents/${body.id}/updates`,
      { message: 'm' },
      { 'Idempotency-Key': `update ${body.id}` },
    )
  const [first, again] = [await post(), await post()]
  expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id])
  expect((await service.admin.get(`/admin/incidents/${body.id}`)).body.updates).toHaveLength(1)
})

test('each token has its own keys', async () => {
  const key = newKey()
  const { body } = await report(key)
  const other = await report(key, { title: 'Down' }, service.as(await service.token()))
  expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(other.body.id).not.toBe(body.id)
})

test('a refused request is not recorded: the key is still free', async () => {
  const key = newKey()
  expect((await report(key, {})).status).toBe(400)
  expect((await report(key, { title: 'Down', affected_items: [{ id: 999_999 }] })).status).toBe(400)
  const { body } = await report(newKey())
  const resolve = (version: number) =>
    service.admin.post(`/admin/incidents/${body.id}/resolve`, { version }, { 'Idempotency-Key': key })
  expect((await resolve(7)).status).toBe(409)
  expect((await resolve(1)).status).toBe(200)
})

test('a key is kept for a day', async () => {
  const key = newKey()
  const start = service.now
  const { body } = await report(key)
  service.now = new Date(start.getTime() + 24 * 3_600_000 - 1)
  expect((await report(key)).body.id).toBe(body.id)
  service.now = new Date(start.getTime() + 24 * 3_600_000 + 1)
  const { status, headers, body: next } = await report(key, { title: 'Something else' })
  expect([status, headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(next.id).not.toBe(body.id)
  expect((await report(key, { title: 'Something else' })).body.id).toBe(next.id)
  service.now = start
})

test('a replay marks an existing record if the first answer did', async () => {
  const body = { title: 'Down', external_id: 'twice' }
  await service.admin.post('/admin/incidents', body)
  const key = newKey()
  expect((await report(key, body)).status).toBe(200)
  expect((await report(key, body)).status).toBe(200)
})

const keysHeld = `select 1 from pg_locks where locktype = 'advisory' and granted
  and database = (select oid from pg_database where datname = current_database())`

describe('while the first request is being worked on', () => {
  test('the second is 409', async () => {
    const { body: incident } = await report(newKey())
    const key = newKey()
    const post = () =>
      service.admin.post(`/admin/incidents/${incident.id}/updates`, { message: 'm' }, { 'Idempotency-Key': key })
    let first: ReturnType<typeof post> | undefined
    await inPageTransaction(service.services.app, service.page.id, async (tx) => {
      await tx.execute('select 1 from incident where id = ? for update', [incident.id])
      first = post()
      // Until it holds its key: a second one that came before it would be the one that waits.
      await until(
        () => service.services.system.em.fork().execute<object[]>(keysHeld),
        (held) => held.length > 0,
      )
      const { status, body } = await post()
      expect([status, body.code]).toEqual([409, 'idempotency_in_flight'])
    })
    expect((await first!).status).toBe(201)
    expect((await post()).headers.get('idempotent-replayed')).toBe('true')
  })

  test('of twenty at once one is done', async () => {
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 20 }, () => report(key, { title: 'At once' })))
    expect(answers.every(({ status }) => [201, 409].includes(status))).toBe(true)
    const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.id)
    expect(new Set(ids).size).toBe(1)
    const { body } = await service.admin.get('/admin/incidents?limit=100')
    expect(body.incidents.filter(({ title }: { title: string }) => title === 'At once')).toHaveLength(1)
  })
})

test('a token is shown once: the replay leaves it out, and it is stored nowhere', async () => {
  const key = newKey()
  const make = () =>
    service.admin.post('/admin/api-tokens', { name: 'ci', permission: 'read' }, { 'Idempotency-Key': key })
  const { body: first } = await make()
  const { status, body: again } = await make()
  expect(first.token).toMatch(/^upb_/)
  const { token, ...rest } = first
  expect([status, again]).toEqual([201, rest])
  const records = await service.services.system.em.fork().findAll(IdempotencyRecord)
  expect(JSON.stringify(records)).not.toContain(token)
})

test.each(['', 'x'.repeat(256), 'ä', 'a\tb'])('the key %j is refused', async (key) => {
  const { status, body } = await report(Buffer.from(key, 'utf8').toString('latin1'))
  expect([status, body.errors[0].path]).toEqual([400, 'Idempotency-Key'])
})

test('it is not asked of reads and changes that may be repeated anyway', async () => {
  const key = { 'Idempotency-Key': newKey() }
  const name = () => service.admin.patch('/admin/page', { name: 'First' }, key)
  expect([(await name()).status, (await name()).headers.get('idempotent-replayed')]).toEqual([200, null])
  expect((await service.admin.get('/admin/page', key)).headers.get('idempotent-replayed')).toBeNull()
})
