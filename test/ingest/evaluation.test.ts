import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'
import { evaluate, eventOf, makeEndpoint, makeEventBeat, makeTrigger, send, stageOf } from '../support/ingest.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house?.close())

test('an event sets the stage of a beat, a repeated one updates the evidence, and the recovery ends the stage', async () => {
  const { id, token } = await makeEndpoint(house)
  const beat = await makeEventBeat(house)
  await makeTrigger(house, id, [beat])
  const fire = await send(house, token, { state: 'firing', alert: 'cpu', text: 'CPU at 99 %' })
  expect(fire).toMatchObject({ status: 202, body: { status: 'accepted', duplicate: false } })
  expect(await eventOf(house, fire.body.event_id)).toMatchObject({ state: 'pending', payload: { alert: 'cpu' } })
  await evaluate(house, id)
  expect(await stageOf(house, beat)).toBe('critical')
  expect(await eventOf(house, fire.body.event_id)).toMatchObject({
    state: 'evaluated',
    evaluations: [
      {
        ...{ outcome: 'transition', stage: 'critical', fingerprint: 'cpu', transition: { beat_id: beat, number: 1 } },
        explanation: `Stage critical: the fingerprint "cpu" opened; transition 1 of the beat ${beat} followed`,
      },
    ],
  })
  const again = await send(house, token, { state: 'firing', alert: 'cpu', text: 'CPU at 98 %' })
  const recovery = await send(house, token, { state: 'ok', alert: 'cpu' })
  await evaluate(house, id)
  expect((await eventOf(house, again.body.event_id)).evaluations).toMatchObject([{ outcome: 'evidence_updated' }])
  expect((await eventOf(house, recovery.body.event_id)).evaluations).toMatchObject([{ outcome: 'transition' }])
  expect(await stageOf(house, beat)).toBe('healthy')
})
