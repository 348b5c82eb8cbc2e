import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { EntityManager } from '@mikro-orm/postgresql'
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

const LOCK = `hashtextextended('upbeat sweep', 0)`
const waits = (tx: EntityManager) => run(tx, sql`select pg_advisory_xact_lock(hashtextextended('upbeat sweep', 0))`)

test.each([
  { kind: 'a page', begin: () => inPageTransaction(service.services.app, service.page.id, waits) },
  { kind: 'the service', begin: () => inSystemTransaction(service.services.system, waits) },
  {
    kind: 'a sweep',
    begin: () => {
      const { system, clock } = service.services
      return wakeOverdue(system, { clock, patienceMs: 0 }, 'test', 10)
    },
  },
])('lost connections of transactions of $kind take none from later ones', async ({ begin }) => {
  await owner.query(`select pg_advisory_lock(${LOCK})`)
  for (let loss = 0; loss < LOSSES; loss += 1) {
    const ending = endWhoWaits()
    await expect(begin()).rejects.toThrow()
    await ending.stop()
  }
  await owner.query(`select pg_advisory_unlock(${LOCK})`)
  await expect(begin()).resolves.toBeDefined()
})

test('the first transaction of a pool needs one connection', async () => {
  const url = service.services.app.config.get('clientUrl')!
  const system = await openOrm({ url, role: SYSTEM_ROLE, poolMax: 1 })
  expect(await createOrganization(system, 'Alone', service.now)).toMatchObject({ slug: 'alone' })
  await system.close(true)
})

/** Ends each connection that waits for the lock. */
function endWhoWaits(): { stop(): Promise<void> } {
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
