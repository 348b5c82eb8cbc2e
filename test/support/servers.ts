import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { startTemporal } from '../../src/embedded/temporal.ts'
import { timeSkippingServer } from '../../src/embedded/time-skipping-server.ts'
import { migrate } from '../../src/persistence/migrate.ts'

/** The servers that one run of the tests shares. Each test file has a database of its own on them. */
export interface TestServers {
  /** The administrative database; `databases.ts` makes others next to it. */
  postgresUrl: string
  temporalAddress: string
  timeSkippingServer: string
}

export const TEMPLATE = 'upbeat_template'
const VARIABLE = 'UPBEAT_TEST_SERVERS'

/** Durability is not what most tests test; those that do start servers of their own. */
const quick = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

export async function startServers(): Promise<{ servers: TestServers; stop(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'upbeat-test-'))
  const cacheDir = readConfig(process.env).CACHE_DIR
  const say = (message: string) => process.stderr.write(`${message}\n`)
  const postgres = await startPostgres({ dir: join(dir, 'postgres'), say, settings: quick })
  const temporal = await startTemporal({ dir: join(dir, 'temporal'), cacheDir, say })
  const skipping = await timeSkippingServer({ cacheDir, say })
  await makeTemplate(postgres.url)
  return {
    servers: { postgresUrl: postgres.url, temporalAddress: temporal.address, timeSkippingServer: skipping },
    async stop() {
      await temporal.stop()
      await postgres.stop()
    },
  }
}

export function tellTests(servers: TestServers): void {
  process.env[VARIABLE] = JSON.stringify(servers)
}

export function testServers(): TestServers {
  const told = process.env[VARIABLE]
  if (!told) throw new Error('The test servers are not running: run the tests with `npm test` or jest.')
  return JSON.parse(told)
}

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate(databaseUrl(url, TEMPLATE))
}

export function databaseUrl(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}
