import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeEndpoint, makeEventBeat, makeTrigger, send, stageOf } from '../support/ingest.ts'
import { openTestProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let processes: TestProcesses
let service: TestProcesses['service']
beforeAll(async () => {
  // Only the worker takes steps: the processes that accept events do not.
  processes = await openTestProcesses({ immediate: false })
  service = processes.service
  await processes.startWorker()
})
afterAll(() => processes?.close())

const SOON_MS = 3000

test('the end of a grace period and of a silence are recorded by the worker that starts after both moments', async () => {
  const { id, token } = await makeEndpoint(service)
  const beat = await makeEventBeat(service)
  await makeTrigger(service, id, [beat], { silence_minutes: 30 })
  await send(service, token, { state: 'firing', alert: 'cpu' })
  await until(
    () => stageOf(service, beat),
    (stage) => stage === 'critical',
  )
  await service.admin.post(`/admin/external-event-endpoints/${id}/rotate`, { old_token_expiry: '1h' })
  await settled(service)
  const soon = new Date(Date.now() + SOON_MS)
  const system = service.services.system.em.fork()
  await system.execute('update ingest_token set expires_at = ? where expires_at is not null', [soon])
  await system.execute('update beat_fingerprint set silent_at = ?', [soon])
  for (const kind of ['inbox', 'ingest-token']) await service.admin.post(`/admin/workflows/${kind}:${id}/wake`)
  await settled(service)
  await processes.stopWorker()
  await until(
    async () => (await send(service, token, { other: 'event' })).status,
    (status) => status === 401,
  )
  await processes.startWorker()
  await until(
    () => stageOf(service, beat),
    (stage) => stage === 'healthy',
  )
  const messages = async () => {
    const { body } = await service.admin.get(`/admin/workflows/ingest-token:${id}/history`)
    return JSON.stringify(body.events)
  }
  expect(await until(messages, (text) => text.includes('grace period is over'))).not.toContain(token)
})
