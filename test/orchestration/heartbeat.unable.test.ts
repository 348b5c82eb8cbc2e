import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { LockMode } from '@mikro-orm/postgresql'
import { openPulse, type Pulse } from '../../src/api/pulse.ts'
import { recordMissedCalls } from '../../src/domain/beats/heartbeats/missed-call.ts'
import { Beat } from '../../src/persistence/entities/beat.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { withoutDatabase } from '../support/administrator.ts'
import { inPage, insertHeartbeat, stagesOf, transitionsOf } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const start = new Date('2026-03-01T10:00:00Z')
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)

let service: TestService
let pulse: Pulse
const newPulse = () => {
  const { system, clock } = service.services
  return openPulse({ system, clock, logger: createLogger('silent', 'test') })
}
beforeAll(async () => {
  const current: Pulse = {
    start() {},
    confirm: (moment) => pulse.confirm(moment),
    callRefused: () => pulse.callRefused(),
    hasOthers: () => pulse.hasOthers(),
    close: async () => {},
  }
  service = await openTestService({ frozenAt: start, deps: { pulse: current } })
})
afterAll(() => service.close())
beforeEach(async () => {
  service.now = start
  await service.services.system.em.fork().execute('delete from api_pulse')
  pulse = newPulse()
  await pulse.confirm(start)
})

const make = () => insertHeartbeat(service, { period_seconds: 30, grace_seconds: 5 })
const callAt = async (path: string, seconds: number) => {
  service.now = later(seconds)
  return (await service.as(undefined).get(path)).status
}
/** The API process stores a pulse every five seconds, up to this moment. */
async function pulsesUntil(seconds: number, one = pulse): Promise<void> {
  const [from, to] = [service.now.getTime(), later(seconds).getTime()]
  for (let moment = from; moment <= to; moment += 5000) {
    service.now = new Date(moment)
    await one.confirm(service.now)
  }
  service.now = later(seconds)
  await one.confirm(service.now)
}
async function lookAt(id: number, seconds: number) {
  service.now = later(seconds)
  const notes: string[] = []
  const awaited = await inPage(service, async (work) => {
    const beat = await work.tx.findOneOrFail(Beat, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    return recordMissedCalls(work, beat, { note: (_, message) => notes.push(message) })
  })
  return { notes, until: awaited && (awaited.until.getTime() - start.getTime()) / 1000, says: awaited?.says }
}

describe('a call does not count as missed while the API could not take calls', () => {
  test('because calls were refused, and counts as missed one period after the end', async () => {
    const { id, path } = await make()
    await callAt(path, 0)
    await pulsesUntil(20)
    await withoutDatabase(service, async () => {
      expect(await callAt(path, 30)).toBe(503)
    })
    service.now = later(50)
    await pulsesUntil(50)
    const look = await lookAt(id, 51)
    expect(look).toEqual({
      until: 85,
      says: `the call that is due by ${later(85).toISOString()}`,
      notes: [expect.stringContaining(`could not take calls before ${later(50).toISOString()}`)],
    })
    expect(await stagesOf(service, id)).toEqual(['null -> healthy'])
    await pulsesUntil(86)
    expect(await lookAt(id, 86)).toMatchObject({ until: 115, notes: [] })
    expect((await transitionsOf(service, id)).at(-1)).toMatchObject({
      to_stage: 'critical',
      evidence: expect.stringContaining(`No call arrived by ${later(85).toISOString()}.`),
    })
  })

  test('because one call was refused between two pulses', async () => {
    const { id, path } = await make()
    await callAt(path, 0)
    await pulsesUntil(30)
    await withoutDatabase(service, async () => {
      expect(await callAt(path, 32)).toBe(503)
    })
    service.now = later(35)
    await pulsesUntil(35)
    expect(await lookAt(id, 35)).toMatchObject({ until: 70 })
    expect(await stagesOf(service, id)).toEqual(['null -> healthy'])
  })

  test('because the only API process was restarted', async () => {
    const { id, path } = await make()
    await callAt(path, 0)
    await pulsesUntil(30)
    service.now = later(34)
    pulse = newPulse()
    await pulsesUntil(36)
    expect(await lookAt(id, 36)).toMatchObject({ until: 69 })
    expect(await stagesOf(service, id)).toEqual(['null -> healthy'])
  })

  test('because the machine was off or the process was frozen', async () => {
    const { id, path } = await make()
    await callAt(path, 0)
    await pulsesUntil(5)
    service.now = later(600)
    await pulsesUntil(600)
    expect(await lookAt(id, 600)).toMatchObject({ until: 635 })
    expect(await stagesOf(service, id)).toEqual(['null -> healthy'])
  })

  test('and a late call is then not a failure', async () => {
    const { id, path } = await make()
    await callAt(path, 0)
    service.now = later(600)
    pulse = newPulse()
    expect(await callAt(path, 601)).toBe(200)
    expect(await stagesOf(service, id)).toEqual(['null -> healthy'])
  })
})

describe('a call counts as missed', () => {
  test('once a pulse covers the due moment, for which the process waits', async () => {
    const { id, path } = await make()
    await callAt(path, 0)
    await pulsesUntil(30)
    expect(await lookAt(id, 36)).toMatchObject({ until: 42, says: expect.stringContaining('the API') })
    expect(await stagesOf(service, id)).toEqual(['null -> healthy'])
    await pulse.confirm(later(36))
    expect(await lookAt(id, 36)).toMatchObject({ until: 65 })
    expect(await stagesOf(service, id)).toEqual(['null -> healthy', 'healthy -> critical'])
  })

  test('a call counts as missed if another API process took calls meanwhile', async () => {
    const { id, path } = await make()
    await callAt(path, 0)
    await pulsesUntil(20)
    const second = newPulse()
    await pulsesUntil(20, second)
    await pulsesUntil(36, second)
    expect(await lookAt(id, 36)).toMatchObject({ until: 65 })
    expect(await stagesOf(service, id)).toEqual(['null -> healthy', 'healthy -> critical'])
  })

  test('if it is late although the API could take calls', async () => {
    const { id, path } = await make()
    await callAt(path, 0)
    await pulsesUntil(30)
    expect(await callAt(path, 36)).toBe(200)
    expect(await stagesOf(service, id)).toEqual(['null -> healthy', 'healthy -> critical', 'critical -> healthy'])
  })
})

test('a process knows whether another one is alive', async () => {
  expect(pulse.hasOthers()).toBe(false)
  const other = newPulse()
  await other.confirm(start)
  expect(other.hasOthers()).toBe(true)
  await pulsesUntil(5)
  expect(pulse.hasOthers()).toBe(true)
  await pulsesUntil(15)
  expect(pulse.hasOthers()).toBe(false)
})
