import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { createOrganization } from '../../src/domain/pages/provision.ts'
import { SYSTEM_ROLE } from '../../src/persistence/entities/columns.ts'
import { openOrm } from '../../src/persistence/orm.ts'
import { run, sql } from '../../src/persistence/sql.ts'
import { wakeOverdue } from '../../src/persistence/system/wakeups.ts'
import { inPageTransaction, inSystemTransaction } from '../../src/persistence/transactions.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let owner: pg.Client
beforeAll(async () => {
  service = await openTestService()
  owner = new pg.Client({ connectionString: service.services.app.config.get('clientUrl')! })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await service.close()
})

/** More than the pools of the service have connections. */
const LOSSES = 10

test.each([
  {
    kind: 'of a page',
    begin: (work: Parameters<typeof inSystemTransaction>[1]) =>
      inPageTransaction(service.services.app, service.page.id, work),
  },
  {
    kind: 'of the service',
    begin: (work: Parameters<typeof inSystemTransaction>[1]) => inSystemTransaction(service.services.system, work),
  },
])('after each lost connection of a transaction $kind the pool has another one', async ({ begin }) => {
  for (let loss = 0; loss < LOSSES; loss += 1) {
    await expect(begin((tx) => run(tx, sql`select pg_terminate_backend(pg_backend_pid())`))).rejects.toThrow()
  }
  expect(await begin((tx) => run(tx, sql`select 1 as one`))).toEqual([{ one: 1 }])
})

test('the first transaction of a pool needs one connection', async () => {
  const url = service.services.app.config.get('clientUrl')!
  const system = await openOrm({ url, role: SYSTEM_ROLE, poolMax: 1 })
  expect(await createOrganization(system, 'Alone', service.now)).toMatchObject({ slug: 'alone' })
  await system.close(true)
})

test('sweeps whose connections are lost take none from later sweeps', async () => {
  const sweep = () => wakeOverdue(service.services.system, { clock: service.services.clock, patienceMs: 0 }, 'test', 10)
  const lock = `hashtextextended('upbeat sweep', 0)`
  await owner.query(`select pg_advisory_lock(${lock})`)
  for (let loss = 0; loss < LOSSES; loss += 1) {
    const ended = endingWhoWaits()
    await expect(sweep()).rejects.toThrow()
    await ended.stop()
  }
  await owner.query(`select pg_advisory_unlock(${lock})`)
  expect(await sweep()).toBe(0)
})

/** Ends each connection that waits for the lock. */
function endingWhoWaits(): { stop(): Promise<void> } {
  let stopped = false
  const end = async () => {
    while (!stopped) {
      await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event = 'advisory'`,
      )
      await sleep(5)
    }
  }
  const ended = end()
  return {
    stop() {
      stopped = true
      return ended
    },
  }
}
