import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, jest, test } from '@jest/globals'
import { type Host, openHost } from '../faults/host.ts'
import { databaseUrlOf } from '../support/administrator.ts'
import { type House, openHouse } from '../support/house.ts'
import { testServers } from '../support/servers.ts'
import { insertBeats, openTarget, storedResults } from '../support/shards.ts'
import { until } from '../support/wait.ts'

jest.setTimeout(180_000)

const BEATS = 300
const INTERVAL = 1000
const HEARTBEAT_TIMEOUT = 10_000
/** A second, and what a busy machine takes. */
const MOST_LOST = 2000
/** What a busy machine takes besides. */
const SLACK = 8000

let house: House
let host: Host
let target: Awaited<ReturnType<typeof openTarget>>
afterEach(async () => {
  await host?.close()
  await house?.close()
  target?.close()
})

const perBeat = async () => Map.groupBy(await storedResults(house.services), ({ beat_id }) => beat_id)

/** Until every beat has been checked so often since. */
const checked = (since: number, times: number, patienceMs = 60_000) =>
  until(
    async () =>
      [...(await perBeat()).values()].filter((rows) => rows.filter(({ at }) => at > since).length >= times).length,
    (count) => count === BEATS,
    patienceMs,
  )

const stages = async (stage: string) =>
  until(
    () =>
      house.services.system.em
        .fork()
        .execute<object[]>('select id from beat where current_stage is distinct from ?', [stage]),
    ({ length }) => length === 0,
    60_000,
  )

/** One worker checks everything and another waits; this befalls the first, in the moment in which all targets fall ill. */
async function afterwards(signal: NodeJS.Signals) {
  house = await openHouse()
  target = await openTarget()
  host = openHost({ DATABASE_URL: await databaseUrlOf(house), TEMPORAL_ADDRESS: testServers().temporalAddress })
  await insertBeats(house.services, house.page.id, BEATS, {
    target: `jsonb_build_object('url', '${target.url}/' || n)`,
    rules: { critical_rule: { consecutive_failures: 3 } },
    // A machine that is busy answers itself late.
    timeout_ms: 30_000,
  })
  const first = host.startWorker()
  await first.ready
  await checked(0, 6)
  await stages('healthy')
  await host.startWorker().ready
  const at = Date.now()
  target.answer.status = 500
  first.kill(signal)
  await checked(at + 1000, 1, HEARTBEAT_TIMEOUT + INTERVAL + SLACK)
  const from = Date.now()
  await stages('critical')
  target.answer.status = 200
  await stages('healthy')
  const seconds = (Date.now() - from) / 1000
  const load = target.asked.filter((one) => one.at > from).length / seconds
  return { first, at, load }
}

async function judged(at: number, load: number) {
  const rows = await perBeat()
  const again = [...rows.values()].map((list) => list.find((one) => one.at > at + 1000)!.at - at)
  // Whatever was asked of a target before, but for the last moments, has a result.
  const stored = (id: number, until: number) => rows.get(id)!.filter((one) => one.at <= until).length
  const asked = (id: number, until: number) =>
    target.asked.filter(({ path, at: when }) => path === `/${id}` && when <= until).length
  const missing = (age: number) => [...rows.keys()].filter((id) => stored(id, at - age) < asked(id, at - age)).length
  const lost = [0, 250, 500, 750, 1000].map((age) => [age, missing(age)])
  const transitions = await house.services.system.em
    .fork()
    .execute<{ numbers: string }[]>(
      `select string_agg(number || ' ' || to_stage, ', ' order by number) as numbers from beat_transition group by owner_id`,
    )
  const figures = {
    checkedAgainAfter: Math.max(...again),
    beatsThatLostAResultOlderThan: Object.fromEntries(lost),
    checksPerSecond: load,
  }
  console.info(JSON.stringify(figures))
  expect(Math.max(...again)).toBeLessThan(HEARTBEAT_TIMEOUT + INTERVAL + SLACK)
  expect(missing(MOST_LOST)).toBe(0)
  expect(load).toBeLessThan((2 * BEATS * 1000) / INTERVAL)
  expect(transitions).toHaveLength(BEATS)
  expect(new Set(transitions.map(({ numbers }) => numbers))).toEqual(new Set(['1 healthy, 2 critical, 3 healthy']))
}

test('when a worker is killed, another checks its beats after the heartbeat timeout, and nothing counts twice', async () => {
  const { first, at, load } = await afterwards('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')
  await judged(at, load)
})

test('a worker that is frozen and goes on ends, and in the meantime it was as if it were dead', async () => {
  const { first, at, load } = await afterwards('SIGSTOP')
  await judged(at, load)
  first.kill('SIGCONT')
  expect(await Promise.race([first.ended, sleep(20_000, 'goes on', { ref: false })])).toBe('SIGKILL')
})
