import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Report, reportStage } from '../support/reported-stages.ts'
import { type BeatFields, inPage, insertBeat, stagesOf, storedBeat, transitionsOf } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service?.close())

const insert = (fields: BeatFields = {}) =>
  insertBeat(service, { type: 'external_event', target: { kind: 'external_event' }, ...fields })
const report = (id: number, event_id: string, stage: Report['stage']) =>
  inPage(service, (work) =>
    reportStage(work, id, { stage, event_id, evidence: `${event_id} says so`, cause: `the event ${event_id}` }),
  )

test('an event changes the stage, wakes the process and is the cause of the transition', async () => {
  const id = await insert()
  service.woken.length = 0
  expect(await report(id, 'e1', 'critical')).toMatchObject({ number: 1, from_stage: null, to_stage: 'critical' })
  expect(service.woken).toEqual([{ kind: 'beat', id, pageId: service.page.id }])
  expect(await transitionsOf(service, id)).toMatchObject([
    { cause: 'the event e1', cause_key: 'event:e1', evidence: 'e1 says so' },
  ])
  expect(await storedBeat(service, id)).toMatchObject({
    current_stage: 'critical',
    last_evidence_summary: 'e1 says so',
  })
})

test('a repeated event changes nothing, even after other events, and neither does an event with the same stage', async () => {
  const id = await insert()
  expect(await report(id, 'e1', 'warning')).not.toBeNull()
  expect(await report(id, 'e2', 'warning')).toBeNull()
  expect(await report(id, 'e3', 'healthy')).not.toBeNull()
  expect(await report(id, 'e1', 'warning')).toBeNull()
  expect(await stagesOf(service, id)).toEqual(['null -> warning', 'warning -> healthy'])
})

test('concurrent reports of one event count once', async () => {
  const id = await insert()
  const made = await Promise.all(Array.from({ length: 6 }, () => report(id, 'e1', 'critical')))
  expect(made.filter((transition) => transition !== null)).toHaveLength(1)
})

test('an event does not change a disabled or deleted beat', async () => {
  for (const id of [await insert({ enabled: false }), 999_999]) {
    expect(await report(id, 'e1', 'critical')).toBeNull()
    expect(await stagesOf(service, id)).toEqual([])
  }
})
