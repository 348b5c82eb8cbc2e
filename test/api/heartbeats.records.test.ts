import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { Heartbeat } from '../../src/persistence/entities/heartbeat.ts'
import { makeBeat } from '../support/beats.ts'
import { storedBeat } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const start = new Date('2026-03-01T10:00:00Z')

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: start })
})
afterAll(() => service.close())

const rowOf = (id: number) => service.services.system.em.fork().findOneOrFail(Heartbeat, { beat_id: id })
const heartbeat = (body: object = {}) =>
  makeBeat(service, { type: 'heartbeat', target: { period_seconds: 60 }, threshold_policies: {}, ...body })
const call = async (url: string) =>
  (await service.as(undefined).get(new URL(url).pathname.replace('/api/v1', ''))).status
const stageOf = async (id: number) => (await storedBeat(service, id)).current_stage

test('a heartbeat takes calls at its address until its deletion', async () => {
  const { id, heartbeat_url } = await heartbeat()
  expect(heartbeat_url).toMatch(/^http:\/\/status\.test\/api\/v1\/heartbeats\/uph_[0-9a-f]{40}$/)
  expect((await rowOf(id)).due_at).toEqual(new Date('2026-03-01T10:01:00Z'))
  expect(await call(heartbeat_url)).toBe(200)
  expect(await stageOf(id)).toBe('healthy')
  expect((await service.admin.get(`/admin/beats/${id}/transitions`)).body.total).toBe(1)
  expect((await service.admin.get(`/admin/beats/${id}/runs`)).body.total).toBe(0)
  expect((await service.admin.del(`/admin/beats/${id}`)).status).toBe(200)
  expect(await call(heartbeat_url)).toBe(404)
})

test('only writers see the address, which is in no list, audit row or replayed answer', async () => {
  const key = { 'Idempotency-Key': 'heartbeat 1' }
  const body = { name: 'Backup', type: 'heartbeat', target: { period_seconds: 60 }, threshold_policies: {} }
  const made = await service.admin.post('/admin/beats', body, key)
  const { id, heartbeat_url } = made.body
  expect(heartbeat_url).toBeDefined()
  const token = heartbeat_url.split('/').at(-1)
  const reader = service.as(await service.token({ permission: 'read' }))
  const others = [
    await reader.get(`/admin/beats/${id}`),
    await service.admin.get('/admin/beats?view=full'),
    await service.admin.get('/admin/audit-events?limit=100'),
    await service.admin.post('/admin/beats', body, key),
  ]
  for (const { status, body: said } of others) {
    expect([200, 201]).toContain(status)
    expect(JSON.stringify(said)).not.toContain(token)
  }
})

test('a changed target, a pause and its end move the due moment, and the address stays', async () => {
  const { id, heartbeat_url } = await heartbeat()
  service.now = new Date(start.getTime() + 30_000)
  const changed = await service.admin.patch(`/admin/beats/${id}`, { target: { period_seconds: 10 } })
  expect([changed.status, changed.body.heartbeat_url]).toEqual([200, heartbeat_url])
  expect((await rowOf(id)).due_at).toEqual(new Date('2026-03-01T10:00:40Z'))
  await service.admin.post(`/admin/beats/${id}/pause`)
  service.now = new Date(start.getTime() + 600_000)
  expect(await call(heartbeat_url)).toBe(200)
  expect(await stageOf(id)).toBeNull()
  await service.admin.post(`/admin/beats/${id}/resume`)
  expect((await rowOf(id)).due_at).toEqual(new Date('2026-03-01T10:10:10Z'))
  expect(await call(heartbeat_url)).toBe(200)
  expect(await stageOf(id)).toBe('healthy')
  service.now = start
})

test('a change of the grace alone moves the due moment by the difference', async () => {
  const { id, heartbeat_url } = await heartbeat()
  service.now = new Date(start.getTime() + 30_000)
  await call(heartbeat_url)
  service.now = new Date(start.getTime() + 50_000)
  const grace = (grace_seconds: number) =>
    service.admin.patch(`/admin/beats/${id}`, { target: { period_seconds: 60, grace_seconds } })
  await grace(5)
  expect((await rowOf(id)).due_at).toEqual(new Date('2026-03-01T10:01:35Z'))
  await grace(0)
  expect((await rowOf(id)).due_at).toEqual(new Date('2026-03-01T10:01:30Z'))
  service.now = start
})

test('while the beats of the page are disabled, neither calls nor missed calls count; calls are due again after that', async () => {
  const { id, heartbeat_url } = await heartbeat()
  const look = () =>
    takeStep(service.services, steps.beat, { kind: 'beat', pageId: service.page.id, id, now: service.now })
  const turn = (synthetics_enabled: boolean) => service.admin.patch('/admin/settings', { synthetics_enabled })
  await turn(false)
  service.now = new Date(start.getTime() + 600_000)
  await look()
  expect(await call(`${heartbeat_url}/fail`)).toBe(200)
  expect([await stageOf(id), (await rowOf(id)).last_call]).toEqual([null, 'fail'])
  service.woken.length = 0
  await turn(true)
  expect(service.woken).toContainEqual({ kind: 'beat', id, pageId: service.page.id })
  expect(await look()).toMatchObject({ until: new Date('2026-03-01T10:11:00Z') })
  expect(await stageOf(id)).toBeNull()
  service.now = new Date('2026-03-01T10:11:00Z')
  await look()
  expect(await stageOf(id)).toBe('critical')
  service.now = start
})

test('answers have the calls of a heartbeat, and sending them back changes nothing', async () => {
  const { id, heartbeat_url, heartbeat: begun } = await heartbeat()
  expect(begun).toEqual({ due_at: '2026-03-01T10:01:00.000Z' })
  const read = async () => (await service.admin.get(`/admin/beats/${id}`)).body
  await call(heartbeat_url)
  service.now = new Date(start.getTime() + 10_000)
  await call(`${heartbeat_url}/start`)
  const started = { last_call: 'start', last_call_at: '2026-03-01T10:00:10.000Z', due_at: '2026-03-01T10:01:00.000Z' }
  expect((await read()).heartbeat).toEqual({ ...started, started_at: started.last_call_at })
  service.now = new Date(start.getTime() + 12_500)
  await call(`${heartbeat_url}/0`)
  const ended = { last_call: 'exit 0', last_call_at: '2026-03-01T10:00:12.500Z', last_duration_ms: 2500 }
  const expected = { ...ended, due_at: '2026-03-01T10:01:12.500Z' }
  const before = await read()
  expect(before.heartbeat).toEqual(expected)
  const { beats } = (await service.admin.get('/admin/beats?view=full&type=heartbeat')).body
  expect(beats.find((one: { id: number }) => one.id === id).heartbeat).toEqual(expected)
  expect((await service.admin.get('/admin/beats')).body.beats[0]).not.toHaveProperty('heartbeat')
  expect((await service.admin.patch(`/admin/beats/${id}`, before)).body).toEqual(before)
  await call(heartbeat_url)
  expect((await read()).heartbeat).not.toHaveProperty('last_duration_ms')
  expect((await service.admin.get(`/admin/beats/${(await makeBeat(service)).id}`)).body).not.toHaveProperty('heartbeat')
  service.now = start
})

test('a change of the name keeps the due moment', async () => {
  const { id } = await heartbeat()
  const { due_at } = await rowOf(id)
  service.now = new Date(start.getTime() + 30_000)
  await service.admin.patch(`/admin/beats/${id}`, { name: 'Another', target: { period_seconds: 60 } })
  expect((await rowOf(id)).due_at).toEqual(due_at)
  service.now = start
})

test('a beat loses its address with the type heartbeat, and gets an address with the type', async () => {
  const { id, heartbeat_url } = await heartbeat()
  const checked = {
    target: { url: 'https://example.com/' },
    threshold_policies: { critical_rule: { consecutive_failures: 1 } },
  }
  const http = await service.admin.patch(`/admin/beats/${id}`, { type: 'http', ...checked })
  expect([http.status, http.body.heartbeat_url]).toEqual([200, undefined])
  expect(await call(heartbeat_url)).toBe(404)
  const again = await service.admin.patch(`/admin/beats/${id}`, { type: 'heartbeat', target: { period_seconds: 60 } })
  expect(again.body.heartbeat_url).not.toBe(heartbeat_url)
  expect(await call(again.body.heartbeat_url)).toBe(200)
})
