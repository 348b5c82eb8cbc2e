import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { evaluate, eventOf, makeEndpoint, makeEventBeat, makeTrigger, send, stageOf } from '../support/ingest.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service?.close())

test('an event sets the stage of a beat, a repeated one updates the evidence, and the recovery ends the stage', async () => {
  const { id, token } = await makeEndpoint(service)
  const beat = await makeEventBeat(service)
  await makeTrigger(service, id, [beat])
  const fire = await send(service, token, { state: 'firing', alert: 'cpu', text: 'CPU at 99 %' })
  expect(fire).toMatchObject({ status: 202, body: { status: 'accepted', duplicate: false } })
  expect(await eventOf(service, fire.body.event_id)).toMatchObject({ state: 'pending', payload: { alert: 'cpu' } })
  await evaluate(service, id)
  expect(await stageOf(service, beat)).toBe('critical')
  expect(await eventOf(service, fire.body.event_id)).toMatchObject({
    state: 'evaluated',
    evaluations: [
      {
        ...{ outcome: 'transition', stage: 'critical', fingerprint: 'cpu', transition: { beat_id: beat, number: 1 } },
        explanation: `Stage critical: the fingerprint "cpu" opened; transition 1 of the beat ${beat} followed`,
      },
    ],
  })
  const again = await send(service, token, { state: 'firing', alert: 'cpu', text: 'CPU at 98 %' })
  const recovery = await send(service, token, { state: 'ok', alert: 'cpu' })
  await evaluate(service, id)
  expect((await eventOf(service, again.body.event_id)).evaluations).toMatchObject([{ outcome: 'evidence_updated' }])
  expect((await eventOf(service, recovery.body.event_id)).evaluations).toMatchObject([{ outcome: 'transition' }])
  expect(await stageOf(service, beat)).toBe('healthy')
})
