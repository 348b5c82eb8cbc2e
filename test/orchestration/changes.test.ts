import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { type Change, type Changes, listenForChanges } from '../../src/orchestration/changes.ts'
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

/** Counts the calls of `onChange`; connecting causes the first call. */
async function listener(options: { url?: string; probeMs?: number } = {}) {
  const logger = createLogger('silent', 'test')
  const notices = { count: 0, last: undefined as Change | undefined, announce: (_pageId = 1) => {} }
  const changes = listenForChanges({
    url: database.url,
    logger,
    ...options,
    onChange: (change) => {
      notices.count += 1
      notices.last = change
    },
  })
  open.push(changes)
  notices.announce = (pageId = 1) => changes.announce(pageId)
  await until(
    () => notices.count,
    (count) => count > 0,
  )
  notices.count = 0
  return notices
}

/** Does something, and waits until the listener was called again. */
async function nextNotice(notices: { count: number }, act: () => void): Promise<void> {
  const { count } = notices
  act()
  await until(
    () => notices.count,
    (now) => now > count,
  )
}

/** Cuts the connection of the newest listener. */
const cutNewest = () =>
  administrator.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'upbeat-changes' order by backend_start desc limit 1`)

test('a change that one process announces reaches the others', async () => {
  const [here, there] = [await listener(), await listener()]
  here.announce()
  await until(
    () => there.count,
    (count) => count === 1,
  )
})

test('many changes cause one notice', async () => {
  const [here, there] = [await listener(), await listener()]
  await nextNotice(there, () => {
    for (let count = 0; count < 100; count += 1) here.announce()
  })
  // Notices arrive in order: no notice of the earlier changes follows.
  await nextNotice(there, here.announce)
  expect(there.count).toBe(2)
})

test('a notice names the pages, and whether the process itself announced it', async () => {
  const [here, there] = [await listener(), await listener()]
  for (const pageId of [7, 9, 7]) here.announce(pageId)
  await until(
    () => here.count + there.count,
    (count) => count === 2,
  )
  expect([here.last, there.last]).toEqual([
    { pageIds: [7, 9], isOwn: true },
    { pageIds: [7, 9], isOwn: false },
  ])
})

test('a notice of very many pages names none', async () => {
  const [here, there] = [await listener(), await listener()]
  for (let pageId = 1_000_000_000; pageId < 1_000_002_000; pageId += 1) here.announce(pageId)
  await until(
    () => there.count,
    (count) => count === 1,
  )
  expect(there.last).toEqual({ pageIds: undefined, isOwn: false })
})

test('a listener whose connection was cut connects again, and calls onChange', async () => {
  const [here, there] = [await listener(), await listener()]
  await cutNewest()
  await until(
    () => there.count,
    (count) => count === 1,
  )
  here.announce()
  await until(
    () => there.count,
    (count) => count === 2,
  )
})

/** A proxy of the database. `lose` drops what its connections send from then on, like a broken network; new connections work. */
async function proxy(): Promise<{ url: string; lose(): void; close(): void }> {
  const to = new URL(database.url)
  const sockets: Socket[] = []
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname)
    sockets.push(near, far)
    for (const [one, other] of [[near, far] as const, [far, near] as const]) {
      one.on('error', () => {})
      one.on('data', (data) => other.write(data))
      one.on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(database.url)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    lose: () => sockets.splice(0).forEach((socket) => void socket.removeAllListeners('data').resume()),
    close: () => server.close(),
  }
}

test('a listener whose connection is silent connects again, and calls onChange', async () => {
  const between = await proxy()
  const [here, there] = [await listener(), await listener({ url: between.url, probeMs: 200 })]
  await nextNotice(there, between.lose)
  await nextNotice(there, here.announce)
  between.close()
})

test('a change that is announced without a connection is announced after the reconnection', async () => {
  const [there, here] = [await listener(), await listener()]
  await cutNewest()
  here.announce()
  await until(
    () => there.count,
    (count) => count === 1,
  )
})

test('closing a listener that is connecting leaves no connection', async () => {
  const changes = listenForChanges({ url: database.url, logger: createLogger('silent', 'test'), onChange: () => {} })
  await changes.close()
  // The closed listener would be connected by the time a later listener is connected.
  await listener()
  await until(
    () =>
      administrator.query(
        `select pid from pg_stat_activity where datname = current_database() and application_name = 'upbeat-changes'`,
      ),
    ({ rows }) => rows.length === 1,
  )
})
