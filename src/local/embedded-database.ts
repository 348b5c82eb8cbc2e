import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../config.ts'
import { adopt } from './embedded/detached.ts'
import { type Held, holdDirectory, tryToHold } from './embedded/lock.ts'
import { type Postgres, startPostgres } from './embedded/postgres.ts'

const NAME = 'postgres'
const PATIENCE_MS = 60_000

/**
 * The database in DATA_DIR: that of an `npm start` that runs there, or else started for as long as this takes. The
 * directory is held meanwhile, so that no start adopts a server which is about to be stopped.
 */
export async function withEmbeddedDatabase<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const held = tryToHold(dataDir)
  return held ? whileHeld(held, dataDir, work) : work((await runningIn(join(dataDir, NAME))).url)
}

/** The same for what must not happen while the service runs. */
export async function withStoppedService<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  return whileHeld(holdDirectory(dataDir), dataDir, work)
}

async function whileHeld<T>(held: Held, dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const dir = join(dataDir, NAME)
  const left = adopt(dir, NAME) !== undefined
  const server = await startPostgres({ dir, say: console.error })
  try {
    return await work(server.url)
  } finally {
    if (!left) await server.stop()
    held.release()
  }
}

/** Somebody else has the directory, and may only just be starting its database. */
async function runningIn(dir: string): Promise<Postgres> {
  for (const deadline = Date.now() + PATIENCE_MS; !adopt(dir, NAME); await sleep(250)) {
    if (Date.now() > deadline) {
      throw new ConfigError('The Upbeat that runs on this DATA_DIR has a database elsewhere: name it in DATABASE_URL.')
    }
  }
  return startPostgres({ dir, say: console.error })
}
