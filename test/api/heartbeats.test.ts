import { expect, test } from '@jest/globals'
import { beginHeartbeat, forgetHeartbeat, heartbeatUrl } from '../../src/domain/beats/heartbeats/token.ts'
import { Beat } from '../../src/persistence/entities/beat.ts'
import { Heartbeat } from '../../src/persistence/entities/heartbeat.ts'
import { serviceAt } from '../support/frozen-service.ts'
import {
  contextOf,
  inPage,
  insertBeat,
  insertHeartbeat,
  stagesOf,
  storedBeat,
  transitionsOf,
} from '../support/stored-beats.ts'
import type { TestService } from '../support/test-service.ts'

let service: TestService
const anyone = () => service.as(undefined)
const start = new Date('2026-03-01T10:00:00Z')
serviceAt(start, (made) => {
  service = made
})

const rowOf = (id: number) => service.services.system.em.fork().findOneOrFail(Heartbeat, { beat_id: id })
const pass = (ms: number) => {
  service.now = new Date(service.now.getTime() + ms)
}
const call = async (path: string, body?: string, headers?: Record<string, string>) =>
  expect((await anyone().request('POST', path, body, headers)).status).toBe(200)

test('GET, HEAD and POST are calls with any body, and their answers must not be cached', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60, grace_seconds: 5 })
  expect((await rowOf(id)).due_at).toEqual(new Date('2026-03-01T10:01:05Z'))
  for (const [method, body] of [['GET'], ['HEAD'], ['POST'], ['POST', 'a=1'], ['POST', '{']] as const) {
    pass(1000)
    const answer = await anyone().request(method, path, body)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(answer.body).toEqual(method === 'HEAD' ? '' : { message: 'recorded' })
    expect(await rowOf(id)).toMatchObject({
      ...{ last_call: 'success', last_call_at: service.now, failures: 0 },
      due_at: new Date(service.now.getTime() + 65_000),
    })
  }
  expect((await rowOf(id)).successes).toBe(5)
  expect(await stagesOf(service, id)).toEqual(['null -> healthy'])
})

test('a run has a start and an end, and a start does not move the due moment', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60 })
  await call(path)
  pass(10_000)
  await call(`${path}/start`)
  expect(await rowOf(id)).toMatchObject({ last_call: 'start', started_at: service.now, successes: 1 })
  expect((await rowOf(id)).due_at).toEqual(new Date('2026-03-01T10:01:00Z'))
  pass(2500)
  await call(`${path}/0`)
  expect(await rowOf(id)).toMatchObject({ last_call: 'exit 0', started_at: null, duration_ms: 2500, successes: 2 })
  await call(`${path}/start`)
  pass(300)
  await call(`${path}/1`)
  expect(await rowOf(id)).toMatchObject({ last_call: 'exit 1', started_at: null, duration_ms: 300, failures: 1 })
})

test('calls at one moment count as several calls', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60 })
  for (const behind of ['', '/fail', '', '/fail', '']) await call(path + behind)
  expect(await stagesOf(service, id)).toHaveLength(5)
})

test('rules count failures and successes in a row', async () => {
  const rules = { warning_rule: { consecutive_failures: 2 }, recovery_rule: { consecutive_successes: 2 } }
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60 }, { threshold_policies: rules })
  for (const behind of ['', '', '/fail', '', '/fail', '/1', '/fail', '', '', '']) {
    pass(1000)
    await call(path + behind)
  }
  expect(await stagesOf(service, id)).toEqual(['null -> healthy', 'healthy -> warning', 'warning -> healthy'])
  expect((await transitionsOf(service, id)).map(({ at }) => at.getSeconds())).toEqual([2, 6, 9])
})

test('a call of a healthy beat is one statement without a wake-up, and a stage change wakes the process', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60 })
  await call(path)
  const state = () =>
    service.services.system.em.fork().execute(
      `select (select count(*)::int from wakeup) as wakeups, (select count(*)::int from notification_event) as events,
        (select xmin::text from beat where id = ?) as beat`,
      [id],
    )
  const before = await state()
  const woken = service.woken.length
  for (const behind of ['', '/start', '/0', '']) await call(path + behind)
  expect(await state()).toEqual(before)
  expect(service.woken.length).toBe(woken)
  await call(`${path}/fail`)
  expect(service.woken.slice(woken)).toEqual([{ kind: 'beat', id, pageId: service.page.id }])
  expect(await state()).not.toEqual(before)
})

test.each([[{ period_seconds: 60 }], [{ cron: '* * * * *' }]])(
  'a late call with the schedule %j does not undo the missed call: both are recorded, in either order',
  async (target) => {
    const { id, path } = await insertHeartbeat(service, target)
    await call(path)
    pass(60_000)
    // A start is not a success: it neither moves the due moment nor prevents a missed call.
    await call(`${path}/start`)
    pass(60_001)
    await call(`${path}/start`)
    expect((await rowOf(id)).due_at).toEqual(new Date('2026-03-01T10:01:00Z'))
    await call(path)
    const transitions = await transitionsOf(service, id)
    expect(transitions.map(({ to_stage, cause_key }) => [to_stage, cause_key.split(':')[0]])).toEqual([
      ['healthy', 'heartbeat'],
      ['critical', 'silence'],
      ['healthy', 'heartbeat'],
    ])
    expect(transitions[1]!.evidence).toMatch(
      /^No call arrived by 2026-03-01T10:01:00.000Z, nor by the next due moment\. The last call/,
    )
    expect(await rowOf(id)).toMatchObject({ failures: 0, successes: 1, quiet: true, last_call: 'success' })
    pass(1000)
    await call(path)
    expect(await stagesOf(service, id)).toHaveLength(3)
  },
)

test('a late failure counts in addition to the missed call', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60 })
  await call(path)
  pass(60_001)
  await call(`${path}/fail`)
  expect(await rowOf(id)).toMatchObject({ failures: 2, due_at: new Date(service.now.getTime() + 60_000) })
  expect(await stagesOf(service, id)).toEqual(['null -> healthy', 'healthy -> critical'])
})

test('a late call of a disabled beat is stored without a missed call', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60 }, { enabled: false })
  pass(600_000)
  await call(path)
  expect(await stagesOf(service, id)).toEqual([])
  expect(await rowOf(id)).toMatchObject({ failures: 0, due_at: new Date(service.now.getTime() + 60_000) })
})

test('a cron expression in its timezone determines when the next call is due', async () => {
  const { id, path } = await insertHeartbeat(service, { cron: '0 12 * * *', timezone: 'Asia/Tokyo', grace_seconds: 60 })
  expect((await rowOf(id)).due_at).toEqual(new Date('2026-03-02T03:01:00Z'))
  service.now = new Date('2026-03-02T03:00:10Z')
  await call(path)
  expect((await rowOf(id)).due_at).toEqual(new Date('2026-03-03T03:01:00Z'))
  service.now = new Date('2026-03-03T03:00:59Z')
  await call(path)
  expect(await rowOf(id)).toMatchObject({ successes: 2, due_at: new Date('2026-03-04T03:01:00Z') })
  expect(await stagesOf(service, id)).toEqual(['null -> healthy'])
})

test('a disabled beat stores calls and keeps its stage', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60 }, { enabled: false })
  await call(path)
  await call(`${path}/7`)
  expect(await rowOf(id)).toMatchObject({ last_call: 'exit 7', failures: 1 })
  expect(await stagesOf(service, id)).toEqual([])
  expect((await storedBeat(service, id)).current_stage).toBeNull()
})

test('a new target and the end of a pause move the due moment and keep the address', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60 })
  await call(`${path}/fail`)
  pass(600_000)
  const url = await inPage(service, async (work) => {
    const beat = await work.tx.findOneOrFail(Beat, { id })
    beat.target = { period_seconds: 10 }
    await beginHeartbeat(contextOf(service, work), beat)
    return heartbeatUrl(contextOf(service, work), beat)
  })
  expect(url).toBe(`http://status.test/api/v1${path}`)
  expect(await rowOf(id)).toMatchObject({ failures: 0, due_at: new Date('2026-03-01T10:10:10Z') })
  await call(path)
  expect((await rowOf(id)).due_at).toEqual(new Date('2026-03-01T10:10:10Z'))
  expect(await stagesOf(service, id)).toEqual(['null -> critical', 'critical -> healthy'])
})

test('beats of other types and deleted heartbeats have no address', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60 })
  const other = await insertBeat(service)
  await inPage(service, async (work) => {
    const ctx = contextOf(service, work)
    const plain = await work.tx.findOneOrFail(Beat, { id: other })
    await beginHeartbeat(ctx, plain)
    expect(await heartbeatUrl(ctx, plain)).toBeUndefined()
    const beat = await work.tx.findOneOrFail(Beat, { id })
    await forgetHeartbeat(ctx, beat)
    expect(await heartbeatUrl(ctx, beat)).toBeUndefined()
  })
  expect((await anyone().get(path)).status).toBe(404)
})

test('an unknown token is not found, and other methods are refused', async () => {
  const { path } = await insertHeartbeat(service, { period_seconds: 60 })
  const unknown = `/heartbeats/uph_${'0'.repeat(40)}`
  for (const wrong of [
    unknown,
    `${unknown}/fail`,
    `${unknown}/start`,
    '/heartbeats/x',
    '/heartbeats/%00',
    `${unknown}/256`,
    `${unknown}/stop`,
  ]) {
    const { status, body } = await anyone().post(wrong)
    expect([wrong, status]).toEqual([wrong, 404])
    expect(body).toEqual({ error: expect.any(String), code: 'not_found', request_id: expect.any(String) })
  }
  for (const wrong of [`${path}/256`, `${path}/stop`, `${path}/-1`]) {
    const { status, body } = await anyone().post(wrong)
    expect([wrong, status, body.code]).toEqual([wrong, 400, 'invalid_request'])
    expect(body.error).toMatch(/must be start, fail or an exit code from 0 to 255/)
  }
  const { status, headers } = await anyone().del(path)
  expect([status, headers.get('allow')?.split(', ').sort()]).toEqual([405, ['GET', 'HEAD', 'POST']])
})
