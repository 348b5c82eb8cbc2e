import { Migrator } from '@mikro-orm/migrations'
import { EntityCaseNamingStrategy, MikroORM } from '@mikro-orm/postgresql'
import { entities } from './entities/index.ts'
import { migrations } from './migrations/index.ts'
import { PreparingClient } from './prepared.ts'

export type Orm = MikroORM

/** A client that hangs in the middle of a transaction keeps its locks from all others: after this it has none. */
const LONGEST_PAUSE_MS = 10_000
/** The server ends a statement first. A server that does not answer at all is given up by the client a little later. */
const LONGER_THAN_STATEMENT_MS = 2000

interface OrmOptions {
  url: string
  role?: string
  poolMax: number
  name?: string
  /** The longest that a statement may take; without it, there is no limit. */
  statementMs?: number
}

/**
 * One pool, as one role. `owner` is for migrations only; `upbeat_app` owns nothing and sees nothing until a
 * transaction names its page; `upbeat_system` serves the few jobs that cross pages.
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
    // Failures reach whoever ran the statement; a second voice on the console tells nobody more.
    logger: () => {},
  })
}
