import { type Config, readConfig, unknownSettings } from '../config.ts'
import { isFinal, sentenceOf } from '../runtime/error-sentences.ts'

/**
 * What `npm start` needs only while it starts: reading settings, migrating, filling an empty database. It is done in
 * this process, which ends when all is ready, because the libraries for it would stay in memory for good.
 */
const tasks = {
  async settings(): Promise<Settings> {
    for (const warning of unknownSettings(process.env)) console.error(warning)
    const { PORT, HOST, BASE_URL, DATA_DIR, CACHE_DIR, DATABASE_URL, TEMPORAL_ADDRESS } = readConfig(process.env)
    // It is needed next, and takes a while to load.
    void import('./prepare-database.ts')
    return { PORT, HOST, BASE_URL, DATA_DIR, CACHE_DIR, DATABASE_URL, TEMPORAL_ADDRESS }
  },
  async temporal(): Promise<void> {
    const { requireTemporal } = await import('./prepare-temporal.ts')
    await requireTemporal(readConfig(process.env))
  },
  async database(database: OwnedDatabase): Promise<Prepared> {
    const { prepareDatabase } = await import('./prepare-database.ts')
    return prepareDatabase(readConfig(process.env), database)
  },
  /** The first admin token, where there is none yet. */
  async token({ url }: Pick<OwnedDatabase, 'url'>): Promise<string | undefined> {
    const { issueFirstToken } = await import('./prepare-database.ts')
    return issueFirstToken(readConfig(process.env), url)
  },
}

export type Tasks = typeof tasks
export type Settings = Pick<
  Config,
  'PORT' | 'HOST' | 'BASE_URL' | 'DATA_DIR' | 'CACHE_DIR' | 'DATABASE_URL' | 'TEMPORAL_ADDRESS'
>

/** The database as its owner reaches it. */
export interface OwnedDatabase {
  url: string
  /** Whether it is the one that `npm start` runs, where the service gets a user of its own. */
  embedded: boolean
  /** Whether an empty database is filled with an example. */
  example: boolean
}

/** With what the API and the worker are started. */
export interface Prepared {
  DATABASE_URL: string
  ENCRYPTION_KEYS: string
}

interface Request {
  id: number
  task: keyof Tasks
  input: never
}

export type Response = { id: number } & ({ output: unknown } | { failed: string; final: boolean })

process.on('message', ({ id, task, input }: Request) => {
  const work: Promise<unknown> = tasks[task](input)
  work.then(
    (output) => process.send?.({ id, output } satisfies Response),
    (error) => process.send?.({ id, failed: sentenceOf(error), final: isFinal(error) } satisfies Response),
  )
})
process.on('disconnect', () => process.exit(0))
