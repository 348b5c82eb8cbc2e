import { type Config, readConfig, unknownSettings } from '../config.ts'
import { isFinal, sentenceOf } from '../runtime/error-sentences.ts'
import type { StoredCode } from './store-code.ts'

/**
 * The tasks that `npm start` needs only at the start: reading settings, migrating, filling an empty database. They run in this
 * process, which ends when all is ready, because their libraries would otherwise stay in memory.
 */
const tasks = {
  async settings(): Promise<Settings> {
    for (const warning of unknownSettings(process.env)) console.error(warning)
    const { PORT, HOST, BASE_URL, DATA_DIR, CACHE_DIR, DATABASE_URL, TEMPORAL_ADDRESS } = readConfig(process.env)
    // The module is needed next and takes time to load.
    void import('./prepare-database.ts')
    return { PORT, HOST, BASE_URL, DATA_DIR, CACHE_DIR, DATABASE_URL, TEMPORAL_ADDRESS }
  },
  async code(): Promise<StoredCode> {
    const { storeCode } = await import('./store-code.ts')
    return storeCode()
  },
  async temporal(): Promise<void> {
    const { requireTemporal } = await import('./prepare-temporal.ts')
    await requireTemporal(readConfig(process.env))
  },
  async database(database: OwnedDatabase): Promise<Prepared> {
    const { prepareDatabase } = await import('./prepare-database.ts')
    return prepareDatabase(readConfig(process.env), database)
  },
  async greeting({ url }: Pick<OwnedDatabase, 'url'>): Promise<Greeting> {
    const { greeting } = await import('./prepare-database.ts')
    return greeting(readConfig(process.env), url)
  },
}

export type Tasks = typeof tasks
export type Settings = Pick<
  Config,
  'PORT' | 'HOST' | 'BASE_URL' | 'DATA_DIR' | 'CACHE_DIR' | 'DATABASE_URL' | 'TEMPORAL_ADDRESS'
>

/** The database with its owner's address. */
export interface OwnedDatabase {
  url: string
  /** Whether `npm start` runs the database; the service then gets its own user. */
  embedded: boolean
  /** Whether an empty database is filled with an example. */
  example: boolean
  /** Whether the service starts while the database is away. */
  isOptional: boolean
}

export interface Prepared {
  /** The settings of the API and the worker. */
  settings: { DATABASE_URL: string; ENCRYPTION_KEYS: string }
  /** Why the database is away, in a sentence. */
  problem?: string
}

export interface Greeting {
  /** The first admin token, if there was none. */
  token: string | undefined
  /** Whether a page sends mails. */
  sendsMails: boolean
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
