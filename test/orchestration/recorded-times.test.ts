import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { observeStage } from '../../src/domain/beats/stage/observe.ts'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { Maintenance } from '../../src/persistence/entities/maintenance.ts'
import { administer, holding } from '../support/administrator.ts'
import { openIncident, remindersOf } from '../support/incidents.ts'
import { evaluate, makeEndpoint, makeEventBeat, makeTrigger, send } from '../support/ingest.ts'
import { makeItem } from '../support/maintenances.ts'
import { inPage, insertBeat, transitionsOf } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { passed, until } from '../support/wait.ts'

const MINUTE = 1000

let service: TestService
beforeAll(async () => {
  service = await openTestService({ minuteMs: MINUTE })
})
afterAll(() => service?.close())

/** Holds the lock of a statement until another transaction has waited for the lock for some time. */
async function whileLocked<T>(sql: string, work: () => Promise<T>): Promise<{ result: T; released: Date }> {
  let result: Promise<T> | undefined
  let released = new Date()
  await holding(service, sql, async () => {
    result = work()
    await until(
      () =>
        administer(
          service,
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      ({ length }) => length > 0,
    )
    // Longer than the delay that counts as late.
    await passed(new Date(Date.now() + MINUTE))
    released = new Date()
  })
  return { result: await result!, released }
}

test('a reminder has the moment at which its step held the lock, and is marked as late', async () => {
  const { id } = await openIncident(service, { reminder_interval_minutes: 1 })
  await passed(new Date(Date.now() + 1.1 * MINUTE))
  const call = { kind: 'incident' as const, pageId: service.page.id, id, now: new Date() }
  const { released } = await whileLocked(`select 1 from incident where id = ${id} for update`, () =>
    takeStep(service.services, steps.incident, call),
  )
  const [reminder] = await remindersOf(service, id)
  expect(reminder!.created_at.getTime()).toBeGreaterThanOrEqual(released.getTime())
  expect(reminder).toMatchObject({ late: true })
})

test('a transition by an event has the moment at which the lock of the beat was held', async () => {
  const { id: source, token } = await makeEndpoint(service)
  const beat = await makeEventBeat(service)
  await makeTrigger(service, source, [beat])
  await send(service, token, { state: 'firing', alert: 'cpu' })
  const { released } = await whileLocked(`select 1 from beat where id = ${beat} for update`, () =>
    evaluate(service, source),
  )
  const [transition] = await transitionsOf(service, beat)
  expect(transition!.at.getTime()).toBeGreaterThanOrEqual(released.getTime())
})

test('a maintenance whose step waited for the lock has started when the lock was held', async () => {
  const item = await makeItem(service, 'Database')
  const start = new Date(Date.now() + 2 * MINUTE)
  const end = new Date(start.getTime() + 3_600_000)
  const { body } = await service.admin.post('/admin/maintenances', {
    ...{ title: 'Upgrade', affected_items: [{ id: item }], auto_transition_enabled: true },
    ...{ scheduled_start_time: start.toISOString(), scheduled_end_time: end.toISOString() },
  })
  await passed(start)
  const call = { kind: 'maintenance' as const, pageId: service.page.id, id: body.id, now: new Date() }
  const { released } = await whileLocked(`select 1 from maintenance where id = ${body.id} for update`, () =>
    takeStep(service.services, steps.maintenance, call),
  )
  const started = await service.services.system.em.fork().findOneOrFail(Maintenance, { id: body.id })
  expect(started.status).toBe('in_progress')
  const { body: shown } = await service.admin.get(`/admin/maintenances/${body.id}`)
  expect(new Date(shown.updates[0].created_at).getTime()).toBeGreaterThanOrEqual(released.getTime())
  const { body: history } = await service.admin.get(`/admin/hierarchy/items/${item}/status-events`)
  expect(new Date(history.events[0].event_time).getTime()).toBeGreaterThanOrEqual(released.getTime())
})

test('a transition has the moment at which its beat was locked', async () => {
  const id = await insertBeat(service, { current_stage: 'healthy' })
  const { released } = await whileLocked(`select 1 from beat where id = ${id} for update`, () =>
    inPage(service, (context) =>
      observeStage(context, id, async () => ({ stage: 'critical', key: 'a', cause: 'a', evidence: 'a' })),
    ),
  )
  const [transition] = await transitionsOf(service, id)
  expect(transition!.at.getTime()).toBeGreaterThanOrEqual(released.getTime())
})

test('what a step wakes has the same moment in the history as what it did', async () => {
  const { id } = await openIncident(service, {})
  const call = { kind: 'incident' as const, pageId: service.page.id, id }
  await takeStep(
    service.services,
    async (ctx) => {
      ctx.note('reminder', 'written')
      ctx.wake({ kind: 'incident', id }, 'what the step did')
      await sleep(20)
      return { done: false, says: 'a change' }
    },
    call,
  )
  const notes = await service.services.system.em
    .fork()
    .execute<{ at: Date }[]>(`select at from process_note where workflow_id = ? order by id desc limit 2`, [
      `incident:${id}`,
    ])
  expect(notes[0]!.at).toEqual(notes[1]!.at)
})
