import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { migrate } from '../../src/persistence/migrate.ts'
import { freshDatabase } from '../support/database.ts'
import { until } from '../support/wait.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database?.drop())

/** Longer than a transaction of the service may be idle. */
const SLOW_MS = 11_000

test('migrations may take longer than a transaction of the service may be idle', async () => {
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  await other.query('begin')
  await other.query('lock table migration in access exclusive mode')
  const migrating = migrate(database.url)
  await sleep(SLOW_MS)
  await other.query('commit')
  await other.end()
  expect(await migrating).toEqual([])
})

test('a migration whose connections are lost fails, and the next attempt succeeds', async () => {
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  await other.query('begin')
  await other.query('lock table migration in access exclusive mode')
  const failed = expect(migrate(database.url)).rejects.toThrow('terminating connection')
  const isWaiting = `select count(*)::int as waiting from pg_locks join pg_database d on d.oid = database
    where not granted and datname = current_database()`
  await until(
    async () => (await other.query(isWaiting)).rows[0].waiting,
    (waiting) => waiting > 0,
  )
  await other.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'upbeat-migrate'`,
  )
  await failed
  await other.query('commit')
  await other.end()
  expect(await migrate(database.url)).toEqual([])
})
