import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { makeKey } from '../../src/domain/kernel/keyring.ts'
import { startPostgres } from '../../src/local/embedded/postgres.ts'
import { nodeOptions } from '../../src/local/node-options.ts'
import { migrate } from '../../src/persistence/migrate.ts'
import { type Child, startChild } from './child.ts'
import { found } from './found.ts'
import { type ProductionTemporal, startProductionTemporal } from './production-temporal.ts'

export type Say = (message: string) => void

export interface BenchDatabase {
  databaseUrl: string
  /** A connection of the owner, without isolation. */
  database: pg.Client
  /** May report incidents. */
  token: string
}

/** The service as it runs in production, in a directory of its own. */
export interface BenchService extends BenchDatabase {
  startTemporal(): Promise<ProductionTemporal>
  /** A process of this repository, on this database. */
  start(file: URL, env?: Record<string, string>): Promise<Child>
  startApi(env: { TEMPORAL_ADDRESS: string } & Record<string, string>): Promise<Child>
  /** Another database on the same server, with a page and a token of its own. */
  anotherDatabase(name: string): Promise<BenchDatabase>
  startWorker(env: { TEMPORAL_ADDRESS: string } & Record<string, string>): Promise<Child>
}

export const NAMESPACE = 'upbeat'
/** Connections to the database: what the service has by default. */
export const POOL = 10

/** Opens a service for a benchmark. Everything that was started in it is stopped, the last first, whatever happens. */
export async function inBenchService<T>(
  say: Say,
  work: (service: BenchService) => Promise<T>,
  settings = {},
): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'upbeat-bench-'))
  const opened: { stop(): Promise<unknown> }[] = []
  const opening = async <P extends { stop(): Promise<unknown> }>(part: Promise<P>) => {
    opened.unshift(await part)
    return part
  }
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeAll(opened, say).then(() => rmSync(dir, { recursive: true, force: true }))
    return closing
  }
  // The servers are detached: only this process stops them.
  const interrupted = () => void close().finally(() => process.exit(130))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    chmodSync(dir, 0o711)
    const cacheDir = readConfig(process.env).CACHE_DIR
    const postgres = await opening(
      startPostgres({ dir: join(dir, 'postgres'), print: say, settings: { ...ROOM, ...settings } }),
    )
    const openDatabase = async (databaseUrl: string): Promise<BenchDatabase> => {
      await migrate(databaseUrl)
      const database = new pg.Client({ connectionString: databaseUrl })
      await database.connect()
      opened.unshift({ stop: () => database.end() })
      return { databaseUrl, database, token: await found(databaseUrl) }
    }
    const first = await openDatabase(postgres.url)
    const common = {
      DATABASE_URL: postgres.url,
      DATABASE_POOL: String(POOL),
      DATA_DIR: dir,
      CACHE_DIR: cacheDir,
      ENCRYPTION_KEYS: makeKey(),
      PORT: '0',
      HOST: '127.0.0.1',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      TEMPORAL_NAMESPACE: NAMESPACE,
    }
    const start = (file: URL, env = {}, options: string[] = []) =>
      opening(startChild(file, { ...common, ...env }, options))
    return await work({
      ...first,
      async anotherDatabase(name) {
        await first.database.query(`create database ${name}`)
        return openDatabase(Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href)
      },
      startTemporal: () =>
        opening(
          startProductionTemporal({
            dir: join(dir, 'temporal'),
            cacheDir,
            print: say,
            postgresUrl: postgres.url,
            namespace: NAMESPACE,
          }),
        ),
      start,
      startApi: (env) => start(new URL('../../src/main.ts', import.meta.url), env, nodeOptions),
      startWorker: (env) => start(new URL('../../worker/main.ts', import.meta.url), env, nodeOptions),
    })
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await close()
  }
}

async function closeAll(opened: { stop(): Promise<unknown> }[], say: Say): Promise<void> {
  for (const part of opened) await part.stop().catch((error) => say(String(error)))
}

/** Temporal's four services have pools of their own; everything else is PostgreSQL's default, fsync included. */
const ROOM = { max_connections: '300' }
