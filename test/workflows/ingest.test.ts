import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { processOf } from '../support/incidents.ts'
import { makeEndpoint, makeEventBeat, makeTrigger, send, stageOf } from '../support/ingest.ts'
import { openSkippingProcesses, quietRuntime, type SkippingProcesses, settled } from '../support/processes.ts'

quietRuntime()

let processes: SkippingProcesses
let service: SkippingProcesses['service']
beforeAll(async () => {
  processes = await openSkippingProcesses()
  service = processes.service
})
afterAll(() => processes?.close())

test('the grace period of a rotated token ends on time and the history says so', async () => {
  const { id, token } = await makeEndpoint(service)
  const { body } = await service.admin.post(`/admin/external-event-endpoints/${id}/rotate`, { old_token_expiry: '1h' })
  await processes.pass('59 minutes')
  expect((await send(service, token, { a: 1 })).status).toBe(202)
  expect(await processOf(service, `ingest-token:${id}`)).toMatchObject({ until: body.previous_token.expires_at })
  await processes.pass('2 minutes')
  expect((await send(service, token, { a: 1 })).body.code).toBe('ingest_token_expired')
  const history = (await service.admin.get(`/admin/workflows/ingest-token:${id}/history`)).body
  const ended = history.events.filter(({ message }: { message: string }) => message.includes('grace period is over'))
  expect(ended).toHaveLength(1)
  expect(JSON.stringify(history)).not.toContain(token)
})

test('a fingerprint is resolved at the end of its silence timeout', async () => {
  const { id, token } = await makeEndpoint(service)
  const beat = await makeEventBeat(service)
  await makeTrigger(service, id, [beat], { silence_minutes: 30 })
  await send(service, token, { state: 'firing', alert: 'cpu' })
  await settled(service)
  expect(await stageOf(service, beat)).toBe('critical')
  await processes.pass('20 minutes')
  await processes.pass('9 minutes')
  expect(await stageOf(service, beat)).toBe('critical')
  await processes.pass('2 minutes')
  expect(await stageOf(service, beat)).toBe('healthy')
})
