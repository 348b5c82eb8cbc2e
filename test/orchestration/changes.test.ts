import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { type Changes, listenForChanges } from '../../src/orchestration/changes.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { freshDatabase } from '../support/database.ts'
import { until } from '../support/wait.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let administrator: pg.Client
const open: Changes[] = []
beforeAll(async () => {
  database = await freshDatabase()
  administrator = new pg.Client({ connectionString: database.url })
  await administrator.connect()
})
afterEach(async () => {
  for (const changes of open.splice(0)) await changes.close()
})
afterAll(async () => {
  await administrator?.end()
  await database?.drop()
})

/** Counts how often it was told to read all again; connecting is the first time. */
async function listener() {
  const logger = createLogger('silent', 'test')
  const heard = { count: 0, tell: () => {} }
  const changes = listenForChanges({
    url: database.url,
    logger,
    onChange: () => {
      heard.count += 1
    },
  })
  open.push(changes)
  heard.tell = changes.tell
  await until(
    () => heard.count,
    (count) => count > 0,
  )
  heard.count = 0
  return heard
}

/** Cuts the connection of the listener that came last. */
const cutNewest = () =>
  administrator.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'upbeat-changes' order by backend_start desc limit 1`)

test('a change that is told in one process is heard in the others', async () => {
  const [here, there] = [await listener(), await listener()]
  here.tell()
  await until(
    () => there.count,
    (count) => count === 1,
  )
})

test('many changes are told as one', async () => {
  const [here, there] = [await listener(), await listener()]
  for (let count = 0; count < 100; count += 1) here.tell()
  await until(
    () => there.count,
    (count) => count > 0,
  )
  // What is told later comes later: nothing else of the many is on its way then.
  const { count } = there
  here.tell()
  await until(
    () => there.count,
    (now) => now > count,
  )
  expect(there.count).toBe(2)
})

test('a listener whose connection was cut connects again, and reads all again', async () => {
  const [here, there] = [await listener(), await listener()]
  await cutNewest()
  await until(
    () => there.count,
    (count) => count === 1,
  )
  here.tell()
  await until(
    () => there.count,
    (count) => count === 2,
  )
})

test('a change that is told while the connection is away is told when it is back', async () => {
  const [there, here] = [await listener(), await listener()]
  await cutNewest()
  here.tell()
  await until(
    () => there.count,
    (count) => count === 1,
  )
})

test('closing while it connects leaves no connection behind', async () => {
  const changes = listenForChanges({ url: database.url, logger: createLogger('silent', 'test'), onChange: () => {} })
  await changes.close()
  // By the time one that came later is connected, the closed one would be.
  await listener()
  await until(
    () =>
      administrator.query(
        `select pid from pg_stat_activity where datname = current_database() and application_name = 'upbeat-changes'`,
      ),
    ({ rows }) => rows.length === 1,
  )
})
