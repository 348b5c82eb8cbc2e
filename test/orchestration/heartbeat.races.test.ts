import { describe, expect, test } from '@jest/globals'
import { LockMode } from '@mikro-orm/postgresql'
import { recordMissedCalls } from '../../src/domain/beats/heartbeats/missed-call.ts'
import { Beat } from '../../src/persistence/entities/beat.ts'
import { Heartbeat } from '../../src/persistence/entities/heartbeat.ts'
import { administer, holding } from '../support/administrator.ts'
import { serviceAt } from '../support/frozen-service.ts'
import {
  type BeatFields,
  inPage,
  insertBeat,
  insertHeartbeat,
  stagesOf,
  storedBeat,
  transitionsOf,
} from '../support/stored-beats.ts'
import type { TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

const start = new Date('2026-03-01T10:00:00Z')
const due = new Date('2026-03-01T10:00:35Z')

let service: TestService
serviceAt(start, (made) => {
  service = made
})

/** The first part of the step of a beat. */
const look = (id: number) =>
  inPage(service, async (work) => {
    const beat = await work.tx.findOneOrFail(Beat, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    return (await recordMissedCalls(work, beat))?.until ?? null
  })
const lookAt = (id: number, seconds: number) => {
  service.now = new Date(start.getTime() + seconds * 1000)
  return look(id)
}
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)
const call = (path: string) => service.as(undefined).get(path)
const rowOf = (id: number) => service.services.system.em.fork().findOneOrFail(Heartbeat, { beat_id: id })
const make = (fields?: BeatFields) => insertHeartbeat(service, { period_seconds: 30, grace_seconds: 5 }, fields)

describe('a missed call', () => {
  test('makes the beat critical at the due moment and not before, once, with or without an earlier call', async () => {
    const { id } = await make()
    expect(await lookAt(id, 34.999)).toEqual(due)
    expect(await stagesOf(service, id)).toEqual([])
    for (let restarts = 0; restarts < 5; restarts += 1) expect(await lookAt(id, 35)).toEqual(later(65))
    expect(await stagesOf(service, id)).toEqual(['null -> critical'])
    const [transition] = await transitionsOf(service, id)
    expect(transition).toMatchObject({
      cause_key: `silence:${due.toISOString()}:1`,
      evidence: `No call arrived by ${due.toISOString()}. No call has ever arrived.`,
    })
    expect(await rowOf(id)).toMatchObject({ failures: 1, successes: 0 })
  })

  test('does not exist if a call has moved the due moment', async () => {
    const { id, path } = await make()
    await call(path)
    service.now = later(34)
    await call(path)
    expect(await lookAt(id, 35)).toEqual(later(69))
    expect(await lookAt(id, 69)).toEqual(later(99))
    expect(await stagesOf(service, id)).toEqual(['null -> healthy', 'healthy -> critical'])
    expect((await storedBeat(service, id)).last_evidence_summary).toContain(
      `The last call (success) arrived at ${later(34).toISOString()}.`,
    )
    service.now = later(70)
    await call(path)
    expect((await storedBeat(service, id)).current_stage).toBe('healthy')
    expect(await look(id)).toEqual(later(105))
  })

  test('counts for each due moment in a down time, with one transition', async () => {
    const rules = { warning_rule: { consecutive_failures: 2 }, critical_rule: { consecutive_failures: 4 } }
    const { id, path } = await make({ threshold_policies: rules })
    await call(path)
    expect(await lookAt(id, 40)).toEqual(later(65))
    expect(await stagesOf(service, id)).toEqual(['null -> healthy'])
    expect(await lookAt(id, 65 + 60)).toEqual(later(65 + 90))
    expect(await rowOf(id)).toMatchObject({ failures: 4 })
    expect(await stagesOf(service, id)).toEqual(['null -> healthy', 'healthy -> critical'])
    expect((await storedBeat(service, id)).last_evidence_summary).toMatch(/, nor by the next 2 due moments\./)
  })

  test('and a reported failure count in one row', async () => {
    const { id, path } = await make({ threshold_policies: { critical_rule: { consecutive_failures: 3 } } })
    await call(path)
    service.now = later(30)
    await call(`${path}/fail`)
    expect(await lookAt(id, 64)).toEqual(later(65))
    await lookAt(id, 65)
    expect(await stagesOf(service, id)).toEqual(['null -> healthy'])
    service.now = later(66)
    await call(`${path}/1`)
    expect(await stagesOf(service, id)).toEqual(['null -> healthy', 'healthy -> critical'])
  })

  test('does not change a disabled beat or a beat of another type', async () => {
    const { id } = await make({ enabled: false })
    expect(await lookAt(id, 100)).toBeNull()
    expect(await rowOf(id)).toMatchObject({ failures: 0, due_at: due })
    expect(await lookAt(await insertBeat(service), 100)).toBeNull()
  })
})

describe('at the due moment', () => {
  test.each(['', '/0'])('a call (%s) and a concurrent step leave the beat healthy', async (behind) => {
    for (let round = 0; round < 10; round += 1) {
      service.now = start
      const { id, path } = await make()
      await call(path)
      service.now = due
      const looks = () => [look(id), look(id)]
      const calls = () => [call(path + behind), call(path + behind)]
      await Promise.all(round % 2 === 0 ? [...calls(), ...looks()] : [...looks(), ...calls()])
      const stages = await stagesOf(service, id)
      expect([['null -> healthy'], ['null -> healthy', 'healthy -> critical', 'critical -> healthy']]).toContainEqual(
        stages,
      )
      expect(await storedBeat(service, id)).toMatchObject({
        current_stage: 'healthy',
        transition_number: stages.length,
      })
      expect(await rowOf(id)).toMatchObject({ failures: 0, quiet: true })
      expect((await rowOf(id)).due_at.getTime()).toBeGreaterThanOrEqual(due.getTime() + 35_000)
    }
  })

  test('after concurrent calls the stage matches the row of the heartbeat', async () => {
    const { id, path } = await make()
    for (let round = 1; round <= 10; round += 1) {
      service.now = new Date(start.getTime() + round * 35_000)
      const said = ['', '/fail', '', '/1', '/start', '/0'].map((behind) => call(path + behind))
      expect(
        (await Promise.all([...said, look(id)])).slice(0, -1).map((answer) => (answer as { status: number }).status),
      ).toEqual(said.map(() => 200))
      const { failures, quiet } = await rowOf(id)
      const { current_stage, transition_number } = await storedBeat(service, id)
      expect(current_stage).toBe(failures > 0 ? 'critical' : 'healthy')
      expect(quiet).toBe(failures === 0)
      expect(await stagesOf(service, id)).toHaveLength(transition_number)
    }
  })

  test('a step reads a call that arrived while the step waited for the lock', async () => {
    const { id, path } = await make()
    await call(path)
    service.now = due
    let looking: Promise<Date | null> | undefined
    await holding(service, `select 1 from beat where id = ${id} for update`, async () => {
      looking = look(id)
      await call(path)
    })
    expect(await looking).toEqual(later(70))
    expect(await stagesOf(service, id)).toEqual(['null -> healthy'])
  })

  test('a call that waits for the transaction of a missed call makes the beat healthy again', async () => {
    const { id, path } = await make()
    await call(path)
    service.now = due
    let calling: ReturnType<typeof call> | undefined
    await inPage(service, async (work) => {
      const beat = await work.tx.findOneOrFail(Beat, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      await recordMissedCalls(work, beat)
      calling = call(path)
      const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like 'update heartbeat%'`
      await until(
        () => administer(service, waiting),
        ({ length }) => length > 0,
      )
    })
    expect((await calling)?.status).toBe(200)
    expect(await stagesOf(service, id)).toEqual(['null -> healthy', 'healthy -> critical', 'critical -> healthy'])
  })
})
