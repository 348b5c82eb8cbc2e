import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { migrate } from '../../src/persistence/migrate.ts'
import { freshDatabase } from '../support/database.ts'

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
