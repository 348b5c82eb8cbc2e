import { afterEach, expect, test } from '@jest/globals'
import { type Host, openHost } from '../faults/host.ts'
import { databaseUrlOf } from '../support/administrator.ts'
import { testServers } from '../support/servers.ts'
import { insertBeats, openTarget, storedResults } from '../support/shards.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

/** More than one shard. */
const BEATS = 510

let service: TestService
let host: Host
let target: Awaited<ReturnType<typeof openTarget>>
afterEach(async () => {
  await host?.close()
  await service?.close()
  target?.close()
})

const perBeat = async () => Map.groupBy(await storedResults(service.services), ({ beat_id }) => beat_id)

/** Waits until every beat has been checked this often. */
const checked = (since: number, times: number) =>
  until(
    () =>
      service.services.system.em
        .fork()
        .execute<{ count: number }[]>(
          'select count(*)::int as count from beat_result where at > ? group by beat_id order by beat_id',
          [new Date(since)],
        ),
    (beats) => beats.length === BEATS && beats.every(({ count }) => count >= times),
  )

const stages = async (stage: string) =>
  until(
    () =>
      service.services.system.em
        .fork()
        .execute<object[]>('select id from beat where current_stage is distinct from ?', [stage]),
    ({ length }) => length === 0,
  )

const askedOf = (id: number, from = 0, to = Number.POSITIVE_INFINITY) =>
  target.asked.filter(({ path, at }) => path === `/${id}` && at > from && at <= to).length

/** Waits until all checks that the targets saw have results, except one that may run at the beginning. */
const stored = (from: number, to: number) =>
  until(
    async () => {
      const missing = [...(await perBeat())].map(
        ([id, rows]) => askedOf(id, from, to) - rows.filter(({ at }) => at > from && at <= to).length,
      )
      return missing.filter((count) => count > 1)
    },
    ({ length }) => length === 0,
  )

/** One worker checks all beats and another waits; the first worker fails when all targets begin to fail. */
async function afterwards(signal: NodeJS.Signals) {
  service = await openTestService()
  target = await openTarget()
  host = openHost({ DATABASE_URL: await databaseUrlOf(service), TEMPORAL_ADDRESS: testServers().temporalAddress })
  await insertBeats(service.services, service.page.id, BEATS, {
    target: `jsonb_build_object('url', '${target.url}/' || n)`,
    rules: { critical_rule: { consecutive_failures: 3 } },
    interval_seconds: 2,
    // A busy machine answers its own requests late.
    timeout_ms: 30_000,
  })
  const first = host.startWorker({ TEST_WATCHDOG_MS: '5000' })
  await first.ready
  await checked(0, 6)
  await stages('healthy')
  await host.startWorker({ TEST_WATCHDOG_MS: '5000' }).ready
  // A worker stores results while it runs: a kill loses only the last moments.
  await stored(0, Date.now())
  target.answer.status = 500
  first.kill(signal)
  const from = Date.now()
  await stages('critical')
  target.answer.status = 200
  await stages('healthy')
  await checked(from, 5)
  return { first, from }
}

/** No slot was checked by both workers, and each beat has one transition in each direction. */
async function expectEachOnce(from: number) {
  await stored(from, Date.now())
  const transitions = await service.services.system.em
    .fork()
    .execute<{ numbers: string }[]>(
      `select string_agg(number || ' ' || to_stage, ', ' order by number) as numbers from beat_transition group by owner_id`,
    )
  expect(transitions).toHaveLength(BEATS)
  expect(new Set(transitions.map(({ numbers }) => numbers))).toEqual(new Set(['1 healthy, 2 critical, 3 healthy']))
}

test('after a kill of a worker another worker checks its beats after the heartbeat timeout, and no result counts twice', async () => {
  const { first, from } = await afterwards('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')
  await expectEachOnce(from)
})

test('a worker that was frozen ends, and another worker checks its beats meanwhile', async () => {
  const { first, from } = await afterwards('SIGSTOP')
  await expectEachOnce(from)
  first.kill('SIGCONT')
  expect(await first.ended).toBe('SIGKILL')
})
