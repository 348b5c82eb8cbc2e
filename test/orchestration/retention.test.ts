import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { rollUpBeats } from '../../src/domain/beats/results/jobs.ts'
import { prune } from '../../src/domain/retention.ts'
import { administer } from '../support/administrator.ts'
import { storeResults } from '../support/beat-results.ts'
import { insertBeat } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const DAY = 24 * 60 * 60 * 1000
const now = new Date('2026-03-10T10:00:00Z')
const ago = (days: number) => new Date(now.getTime() - days * DAY)
const at = (days: number) => `'${ago(days).toISOString()}'`

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: now })
})
afterAll(() => service?.close())
beforeEach(() =>
  administer(service, `truncate beat_result, beat_rollup; delete from installation where key = 'beats.rolled_up'`),
)

/** Two runs, because the second run counts the minutes once more. */
async function rollUp() {
  await rollUpBeats(service.services)
  await rollUpBeats(service.services)
}

const execute = <T extends object[]>(sql: string, values: unknown[] = []) =>
  service.services.system.em.fork().execute<T>(sql, values)
const agesOf = async (table: string, time: string, where = 'true') =>
  (
    await execute<{ days: number }[]>(
      `select round(extract(epoch from '${now.toISOString()}' - ${time}) / 86400, 2)::float8 as days from ${table} where ${where} order by 1`,
    )
  ).map(({ days }) => days)

test('results are stored for a week, and deleted with their beat', async () => {
  const [one, two, gone] = [await insertBeat(service), await insertBeat(service), await insertBeat(service)]
  const days = [0.01, 6.9, 7.1, 8]
  await storeResults(
    service,
    [one, two, gone].flatMap((beat_id) => days.map((age) => ({ beat_id, at: ago(age) }))),
  )
  await rollUp()
  await execute('delete from beat where id = ?', [gone])
  await prune(service.services)
  expect(await agesOf('beat_result', 'due_at')).toEqual([0.01, 0.01, 6.9, 6.9])
  expect(await agesOf('beat_result', 'due_at', `beat_id = ${gone}`)).toEqual([])
  expect(await agesOf('beat_rollup', 'at', `beat_id = ${gone}`)).toEqual([])
})

test('results without a rollup are not deleted', async () => {
  const beat_id = await insertBeat(service)
  await storeResults(service, [{ beat_id, at: ago(8) }])
  await prune(service.services)
  expect(await agesOf('beat_result', 'due_at')).toEqual([8])
  await rollUp()
  await prune(service.services)
  expect(await agesOf('beat_result', 'due_at')).toEqual([])
})

test('minutes are stored for a month, hours for more than a year', async () => {
  const beat_id = await insertBeat(service)
  for (const [span, age] of [
    [60, 29],
    [60, 31],
    [3600, 31],
    [3600, 399],
    [3600, 401],
  ]) {
    await execute(
      `insert into beat_rollup (beat_id, span_seconds, at, region, page_id, checks, failures, latencies)
        values (?, ?, ?, 'local', ?, 1, 0, '{}')`,
      [beat_id, span, ago(age!), service.page.id],
    )
  }
  await prune(service.services)
  expect(await agesOf('beat_rollup', 'at', 'span_seconds = 60')).toEqual([29])
  expect(await agesOf('beat_rollup', 'at', 'span_seconds = 3600')).toEqual([31, 399])
})

test('more rows than one batch are deleted', async () => {
  const beat_id = await insertBeat(service)
  await execute(
    `insert into beat_result (beat_id, due_at, region, page_id, at, ok, evidence)
      select ?, moment, 'local', ?, moment, true, '' from generate_series(1, 10_001) n,
        lateral (select ${at(7.5)}::timestamptz - n * interval '1 second' as moment) m`,
    [beat_id, service.page.id],
  )
  await rollUp()
  await prune(service.services)
  expect((await agesOf('beat_result', 'due_at')).length).toBe(0)
})

test('answers to idempotency keys and requested checks are stored for a day', async () => {
  for (const age of [0.9, 1.1]) {
    await execute(
      `insert into idempotency_record (page_id, actor, key, request_hash, existing, output, created_at)
        values (?, 'token:1', ?, 'x', false, '{}', ?)`,
      [service.page.id, `key ${age}`, ago(age)],
    )
    for (const answered of [true, false]) {
      const [row] = await execute<{ id: string }[]>(
        `insert into check_request (page_id, region, asked, created_at, answered_at) values (?, 'local', '{}', ?, ?) returning id`,
        [service.page.id, ago(age), answered ? ago(age) : null],
      )
      const workflow = `check:${row!.id}`
      await execute(
        `insert into process (workflow_id, page_id, kind, subject_id, state, started_at, updated_at)
          values (?, ?, 'check', ?, 'done', ?, ?)`,
        [workflow, service.page.id, Number(row!.id), ago(age), ago(age)],
      )
      await execute(`insert into process_note (page_id, workflow_id, at, cause, message) values (?, ?, ?, 'x', 'x')`, [
        ...[service.page.id, workflow, ago(age)],
      ])
    }
  }
  await prune(service.services)
  expect(await agesOf('idempotency_record', 'created_at')).toEqual([0.9])
  // The other request has no answer yet.
  expect(await agesOf('check_request', 'created_at')).toEqual([0.9, 0.9, 1.1])
  expect(await agesOf('process', 'updated_at', `kind = 'check'`)).toEqual([0.9, 0.9, 1.1])
  expect(await agesOf('process_note', 'at', `workflow_id like 'check:%'`)).toEqual([0.9, 0.9, 1.1])
})

test('turns of the agent and ended plans are deleted after their retention time', async () => {
  const { page } = service
  const asker = JSON.stringify({ id: 0, name: 'Bot', permission: 'read', role_key: 'page_viewer' })
  for (const age of [89, 91]) {
    for (const status of ['none', 'executed', 'ready']) {
      const [turn] = await execute<{ id: number }[]>(
        `insert into delegation_turn (page_id, chat_app_id, query, asked, asker, reach, state, created_at)
          values (?, '', ?, '{}', ?, '{}', 'answered', ?) returning id`,
        [page.id, status, asker, ago(age)],
      )
      if (status === 'none') continue
      await execute(
        `insert into action_plan (page_id, turn_id, status, summary, steps, questions, conflicts, asker, reach,
            created_at, expires_at, version) values (?, ?, ?, '', '[]', '[]', '[]', ?, '{}', ?, ?, 1)`,
        [page.id, turn!.id, status, asker, ago(age), ago(-1)],
      )
    }
  }
  await prune(service.services)
  // A plan that may still be confirmed stays with its turn.
  expect(await agesOf('action_plan', 'created_at')).toEqual([89, 89, 91])
  expect(await agesOf('delegation_turn', 'created_at')).toEqual([89, 89, 89, 91])
})

test('audit rows and notes are stored forever, unless the environment sets a retention time', async () => {
  for (const age of [10, 100, 1000].toReversed()) {
    await execute(
      `insert into audit_event (page_id, at, operation, actor_kind, actor_name, request_id)
        values (?, ?, 'x', 'token', 'x', 'x')`,
      [service.page.id, ago(age)],
    )
    await execute(
      `insert into process_note (page_id, workflow_id, at, cause, message) values (?, 'beat:1', ?, 'x', 'x')`,
      [...[service.page.id, ago(age)]],
    )
  }
  const ages = async () => [
    await agesOf('audit_event', 'at', `operation = 'x'`),
    await agesOf('process_note', 'at', `workflow_id = 'beat:1'`),
  ]
  await prune(service.services)
  expect(await ages()).toEqual([
    [10, 100, 1000],
    [10, 100, 1000],
  ])
  await prune({
    ...service.services,
    keep: { resultDays: 7, turnDays: 90, notificationDays: 90, eventDays: 30, auditDays: 365 },
  })
  expect(await ages()).toEqual([
    [10, 100],
    [10, 100],
  ])
})
