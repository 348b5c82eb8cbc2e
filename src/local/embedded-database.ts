import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../config.ts'
import { adopt } from './embedded/detached.ts'
import { type Held, holdDirectory, tryToHold } from './embedded/lock.ts'
import { type Postgres, startPostgres } from './embedded/postgres.ts'

const NAME = 'postgres'
const PATIENCE_MS = 60_000

/**
 * Runs work on the database in DATA_DIR: the database of a running `npm start`, or one that runs only for this work. The
 * directory is locked meanwhile, so that no start adopts a server that is about to stop.
 */
export async function withEmbeddedDatabase<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const held = tryToHold(dataDir)
  return held ? whileHeld(held, dataDir, work) : work((await runningIn(join(dataDir, NAME))).url)
}

/** Like `withEmbeddedDatabase`, for work that must not run together with the service. */
export async function withStoppedService<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  return whileHeld(holdDirectory(dataDir), dataDir, work)
}

async function whileHeld<T>(held: Held, dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const dir = join(dataDir, NAME)
  const left = adopt(dir, NAME) !== undefined
  const server = await startPostgres({ dir, print: console.error })
  try {
    return await work(server.url)
  } finally {
    if (!left) await server.stop()
    held.release()
  }
}

/** Waits for the database of the process that holds the directory. */
async function runningIn(dir: string): Promise<Postgres> {
  for (const deadline = Date.now() + PATIENCE_MS; !adopt(dir, NAME); await sleep(250)) {
    if (Date.now() > deadline) {
      throw new ConfigError(
        'The Upbeat that runs on this DATA_DIR uses another database: set DATABASE_URL to this database.',
      )
    }
  }
  return startPostgres({ dir, print: console.error })
}
