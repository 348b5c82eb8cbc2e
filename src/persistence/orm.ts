import { Migrator } from '@mikro-orm/migrations'
import { EntityCaseNamingStrategy, MikroORM } from '@mikro-orm/postgresql'
import { entities } from './entities/index.ts'
import { migrations } from './migrations/index.ts'
import { PreparingClient } from './prepared.ts'

export type Orm = MikroORM

/** The longest pause within a transaction: a client that hangs would keep its locks. */
const LONGEST_PAUSE_MS = 10_000
/** The server ends a statement first. The client ends its wait for a server that does not answer this much later. */
const LONGER_THAN_STATEMENT_MS = 2000

/**
 * The ORM locks rows with `for update`, which holds up each foreign key check of the row, too: a step that holds a beat, and is
 * about to check the key of its group, would deadlock with a step that holds the group and waits for the beat.
 */
const LOCK = ' for update'
const LOCK_OF_FIELDS = ' for no key update'

interface OrmOptions {
  url: string
  role?: string
  poolMax: number
  name?: string
  /** The longest duration of a statement; by default unlimited. */
  statementMs?: number
}

/**
 * A connection pool with one role. The owner is for migrations only; `upbeat_app` owns no table and sees no row until a
 * transaction names its page; `upbeat_system` is for the few jobs that cross pages.
 */
export function openOrm(options: OrmOptions): Promise<Orm> {
  const { statementMs } = options
  return MikroORM.init({
    clientUrl: options.url,
    entities,
    extensions: [Migrator],
    namingStrategy: EntityCaseNamingStrategy,
    forceUtcTimezone: true,
    pool: { min: 0, max: options.poolMax },
    // Otherwise the first transaction would need a second connection to look for the database that it is in.
    ensureDatabase: false,
    driverOptions: {
      Client: PreparingClient,
      application_name: options.name ?? 'upbeat',
      connectionTimeoutMillis: 5000,
      ...(statementMs ? { query_timeout: statementMs + LONGER_THAN_STATEMENT_MS } : {}),
      options: [
        `idle_in_transaction_session_timeout=${LONGEST_PAUSE_MS}`,
        ...(statementMs ? [`statement_timeout=${statementMs}`] : []),
        ...(options.role ? [`role=${options.role}`] : []),
      ]
        .map((setting) => `-c ${setting}`)
        .join(' '),
    },
    migrations: { migrationsList: migrations, tableName: 'migration', snapshot: false },
    schemaGenerator: { createForeignKeyConstraints: false, ignoreRoutines: true },
    ignoreUndefinedInQuery: true,
    onQuery: (sql) => (sql.endsWith(LOCK) ? sql.slice(0, -LOCK.length) + LOCK_OF_FIELDS : sql),
    // Callers handle the errors of their statements; a second log on the console has no use.
    logger: () => {},
  })
}
