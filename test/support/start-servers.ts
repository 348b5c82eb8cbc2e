import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { startPostgres } from '../../src/local/embedded/postgres.ts'
import { startTemporal } from '../../src/local/embedded/temporal.ts'
import { timeSkippingServer } from '../../src/local/embedded/time-skipping-server.ts'
import { migrate } from '../../src/persistence/migrate.ts'
import { databaseUrl, TEMPLATE, type TestServers } from './servers.ts'

const bundler = fileURLToPath(new URL('../../worker/bundle.ts', import.meta.url))

/** Durability is not what most tests test; those that do start servers of their own. */
const quick = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

export async function startServers(): Promise<{ servers: TestServers; stop(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'upbeat-test-'))
  const cacheDir = readConfig(process.env).CACHE_DIR
  const print = (message: string) => process.stderr.write(`${message}\n`)
  const postgres = await startPostgres({ dir: join(dir, 'postgres'), print, settings: quick })
  const temporal = await startTemporal({ dir: join(dir, 'temporal'), cacheDir, print })
  const skipping = await timeSkippingServer({ cacheDir, print })
  await makeTemplate(postgres.url)
  // Else the first test files that start a worker would each build it.
  await promisify(execFile)(process.execPath, [bundler, '--cache', cacheDir])
  return {
    servers: { postgresUrl: postgres.url, temporalAddress: temporal.address, timeSkippingServer: skipping },
    async stop() {
      await temporal.stop()
      await postgres.stop()
      rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate(databaseUrl(url, TEMPLATE))
}
