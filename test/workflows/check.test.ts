import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { CheckRequest } from '../../src/persistence/entities/check-request.ts'
import { Secret } from '../../src/persistence/entities/secret.ts'
import { closeServers, httpServer } from '../checks/support/servers.ts'
import { openTestProcesses, quietRuntime, type TestProcesses } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let processes: TestProcesses
let service: TestProcesses['service']
const seen: unknown[] = []
let url: string
let status = 200
let checkPatienceMs = 60_000
beforeAll(async () => {
  processes = await openTestProcesses({ checkPatienceMs: () => checkPatienceMs })
  service = processes.service
  await processes.startWorker()
  const server = await httpServer((asked, answer) => {
    seen.push(asked.headers.authorization)
    answer.writeHead(status).end()
  })
  url = server.url
})
afterAll(async () => {
  await processes?.close()
  await closeServers()
})

const rules = { warning_rule: { consecutive_failures: 1 }, critical_rule: { consecutive_failures: 2 } }

async function make(changes: object = {}) {
  const { status: made, body } = await service.admin.post('/admin/beats', {
    ...{ name: 'Ours', type: 'http', target: { url, headers: { Authorization: 'Bearer s3cret' } } },
    ...{ threshold_policies: rules, enabled: false, ...changes },
  })
  if (made !== 201) throw new Error(JSON.stringify(body))
  return body.id as number
}

test('a requested check uses the secrets of the beat, and is answered at once', async () => {
  const id = await make({ external_id: 'asked' })
  status = 200
  const { status: code, body } = await service.admin.post('/admin/beats/external/asked/run')
  expect(code).toBe(200)
  expect(body).toMatchObject({
    status: 'completed',
    run: { beat_id: id, region: 'local', ok: true, status_code: 200, evidence: expect.stringContaining('200') },
  })
  expect(seen.at(-1)).toBe('Bearer s3cret')
  const again = await service.admin.get(`/admin/beats/checks/${body.check_id}`)
  expect(again.body).toEqual(body)
  expect(
    await service.services.system.em.fork().execute('select id::int, slot from beat_result where beat_id = ?', [id]),
  ).toEqual([{ id: body.run.id, slot: null }])
})

test('the result of a requested check counts like that of any check', async () => {
  const id = await make({ enabled: true, interval_seconds: 86_400 })
  const run = async (answer: number) => {
    status = answer
    await service.admin.post(`/admin/beats/${id}/run`)
    return (await service.admin.get(`/admin/beats/${id}`)).body.current_stage
  }
  expect([await run(200), await run(500), await run(500), await run(200)]).toEqual([
    'healthy',
    'warning',
    'critical',
    'healthy',
  ])
})

test('requests with the same idempotency key run one check and get the same answer', async () => {
  const id = await make()
  status = 200
  const ask = () => service.admin.post(`/admin/beats/${id}/run`, {}, { 'Idempotency-Key': `once-${id}` })
  const [first, second] = [await ask(), await ask()]
  expect(second.body).toEqual(first.body)
  const em = service.services.system.em.fork()
  expect(await em.count(CheckRequest, { beat_id: id })).toBe(1)
})

test('the test of a beat that is not saved returns the stage by its rules, and stores nothing of the beat', async () => {
  status = 503
  const target = { url, headers: { Authorization: 'Bearer never-kept' } }
  const { status: code, body } = await service.admin.post('/admin/beats/test', {
    ...{ type: 'http', target, threshold_policies: rules },
  })
  expect(code).toBe(200)
  expect(body).toMatchObject({ status: 'completed', stage: 'warning', run: { ok: false, status_code: 503 } })
  expect(seen.at(-1)).toBe('Bearer never-kept')
  const em = service.services.system.em.fork()
  expect(await em.count(Secret, { name: `check:${body.check_id}` })).toBe(0)
  expect(JSON.stringify(await em.find(CheckRequest, {}))).not.toContain('never-kept')
  expect((await service.admin.get('/admin/beats')).body.beats).not.toContainEqual(expect.objectContaining({ name: '' }))
})

test.each([
  [{ type: 'http', target: {} }, 'target.url'],
  [{ type: 'http', target: { url: 'ftp://example.com' } }, 'target.url'],
  [{ type: 'tcp', target: { host: 'example.com' } }, 'target.port'],
  [{ type: 'nonsense', target: {} }, 'type'],
])('the test of a beat that could not be saved is refused: %j', async (body, path) => {
  const answer = await service.admin.post('/admin/beats/test', body)
  expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([400, path])
})

test.each(['heartbeat', 'external_event'])('a run of a beat of the type %s is refused', async (type) => {
  const target = type === 'heartbeat' ? { period_seconds: 60 } : { kind: 'external_event' }
  const id = await make({ type, target, threshold_policies: {} })
  expect((await service.admin.post(`/admin/beats/${id}/run`)).status).toBe(409)
  expect((await service.admin.post('/admin/beats/test', { type, target })).status).toBe(409)
})

test('the result of an earlier target is not stored and does not change the beat', async () => {
  const changed = Promise.withResolvers<void>()
  const slow = await httpServer((_asked, answer) => void changed.promise.then(() => answer.writeHead(500).end()))
  const id = await make({ enabled: true, interval_seconds: 86_400, target: { url: slow.url } })
  const asked = service.admin.post(`/admin/beats/${id}/run`)
  await until(
    async () => slow.made,
    (made) => made > 0,
  )
  await service.admin.patch(`/admin/beats/${id}`, { target: { url } })
  changed.resolve()
  const { body } = await asked
  expect(body).toMatchObject({
    status: 'completed',
    problem: expect.stringContaining('target of the beat was changed'),
  })
  expect(
    (await service.admin.get(`/admin/beats/${id}/runs`)).body.runs.map(({ ok }: { ok: boolean }) => ok),
  ).not.toContain(false)
})

test('a run in a region outside the regions of the beat is refused', async () => {
  const id = await make()
  const { status: code, body } = await service.admin.post(`/admin/beats/${id}/run`, { region: 'mars' })
  const message = 'must be a region of the beat (local), and mars is not'
  expect([code, body.errors]).toMatchObject([400, [{ path: 'region', message }]])
})

test('without a worker in the region the answer comes later, with the reason', async () => {
  const id = await make({ regions: ['nowhere'] })
  checkPatienceMs = 100
  const { status: code, body, headers } = await service.admin.post(`/admin/beats/${id}/run`)
  checkPatienceMs = 60_000
  expect([code, body.status]).toEqual([202, 'accepted'])
  const place = headers.get('location')!.replace('/api/v1', '')
  const answer = await until(
    async () => (await service.admin.get(place)).body,
    ({ status: known }) => known === 'completed',
  )
  expect(answer.problem).toContain('no worker in region nowhere')
  expect(answer.run).toMatchObject({ beat_id: id, ok: false, evidence: answer.problem })
  expect((await service.admin.get(`/admin/beats/${id}/runs`)).body.runs).toEqual([])
})

test('a check that may not run is answered with the reason, and does not count', async () => {
  const id = await make({ enabled: true })
  service.services.beatTargets = 'public'
  const { body } = await service.admin.post(`/admin/beats/${id}/run`)
  service.services.beatTargets = 'any'
  expect(body.problem).toMatch(/^127\.0\.0\.1 is a loopback address; only public addresses/)
  expect(
    (await service.admin.get(`/admin/beats/${id}/runs`)).body.runs.filter((one: { ok: boolean }) => !one.ok),
  ).toEqual([])
})

test('a page cannot see the checks of another page', async () => {
  const { body } = await service.admin.post(`/admin/beats/${await make()}/run`)
  expect((await service.otherAdmin.get(`/admin/beats/checks/${body.check_id}`)).status).toBe(404)
})
