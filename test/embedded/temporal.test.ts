import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Connection } from '@temporalio/client'
import { startTemporal, type Temporal } from '../../src/local/embedded/temporal.ts'
import { temporalBinary } from '../../src/local/embedded/temporal-binary.ts'
import { cacheDir, kill, temporaryDirectory } from './support.ts'

const parent = temporaryDirectory()
const dir = join(parent, 'temporal')
const print = (message: string) => void process.stdout.write(`${message}\n`)
const pids = new Set<number>()
let server: Temporal

beforeAll(async () => {
  await temporalBinary({ cacheDir, print })
  server = await start()
})

afterAll(async () => {
  await server?.stop()
  for (const pid of pids) kill(pid)
  rmSync(parent, { recursive: true, force: true })
})

describe('Temporal of our own', () => {
  test('the embedded Temporal answers requests and serves its UI', async () => {
    expect(await namespaces()).toContain('default')
    expect((await fetch(server.uiUrl)).status).toBe(200)
  })

  test('is adopted when it runs', async () => {
    expect(await start()).toMatchObject({ pid: server.pid, address: server.address, uiUrl: server.uiUrl })
  })

  test('starts again after kill -9 on the same port, and remembers its namespaces', async () => {
    await withConnection((connection) =>
      connection.workflowService.registerNamespace({
        namespace: 'remembered',
        workflowExecutionRetentionPeriod: { seconds: (30 * 86_400) as never },
      }),
    )
    const { pid, address } = server
    kill(pid)
    server = await start()
    expect(server.pid).not.toBe(pid)
    expect(server.address).toBe(address)
    expect(await namespaces()).toContain('remembered')
  })

  test('is never run twice on one file, even if its pid was not written down', async () => {
    rmSync(join(dir, 'temporal.json'))
    const before = server
    server = await start()
    expect(server.pid).not.toBe(before.pid)
    expect(before.alive()).toBe(false)
    expect(await namespaces()).toContain('remembered')
  })

  test('the embedded Temporal stops', async () => {
    await server.stop()
    expect(server.alive()).toBe(false)
  })
})

async function start(): Promise<Temporal> {
  const started = await startTemporal({ dir, cacheDir, print })
  pids.add(started.pid)
  return started
}

async function namespaces(): Promise<unknown[]> {
  return withConnection(async (connection) => {
    const { namespaces } = await connection.workflowService.listNamespaces({})
    return namespaces.map(({ namespaceInfo }) => namespaceInfo?.name)
  })
}

async function withConnection<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: server.address })
  try {
    return await use(connection)
  } finally {
    await connection.close()
  }
}
