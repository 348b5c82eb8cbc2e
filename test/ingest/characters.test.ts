import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { evaluate, eventOf, makeEndpoint, makeEventBeat, makeTrigger, send, stageOf } from '../support/ingest.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service?.close())

/** An event that cannot be stored would be evaluated again and again, and later events of the inbox never. */
test.each([
  ['NUL', 'cpu\0'],
  ['half a surrogate pair', 'cpu\ud800'],
  ['a long text that is cut within a surrogate pair', `${'x'.repeat(1999)}😀😀`],
  ['a long fingerprint that is cut within a surrogate pair', `${'x'.repeat(455)}😀${'x'.repeat(100)}`],
])('an event with %s in its texts sets the stage', async (_title, text) => {
  const { id, token } = await makeEndpoint(service)
  const beat = await makeEventBeat(service)
  const firing = { path: '$.alert', operator: 'exists' }
  const unless = { path: '$.state', operator: 'not_equals', value: 'none' }
  const output_mapping = { fingerprint_path: '$.alert', summary_path: '$.text', region_path: '$.text' }
  await makeTrigger(service, id, [beat], { conditions: { all: [firing, unless] }, output_mapping })
  const fire = await send(service, token, { state: 'firing', alert: text, text, [text]: text })
  const unknown = await send(service, token, { state: text, alert: text })
  await evaluate(service, id)
  expect(await stageOf(service, beat)).toBe('critical')
  const [evaluation] = (await eventOf(service, fire.body.event_id)).evaluations
  expect(evaluation).toMatchObject({ outcome: 'transition' })
  expect(evaluation.fingerprint).not.toMatch(/\0|\p{Surrogate}/u)
  expect((await eventOf(service, unknown.body.event_id)).evaluations).toMatchObject([{ outcome: 'no_stage' }])
})
