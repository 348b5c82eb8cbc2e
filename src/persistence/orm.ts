import { Migrator } from '@mikro-orm/migrations'
import { EntityCaseNamingStrategy, MikroORM } from '@mikro-orm/postgresql'
import { entities } from './entities/index.ts'
import { migrations } from './migrations/index.ts'
import { PreparingClient } from './prepared.ts'

export type Orm = MikroORM

/** Whoever hangs in the middle of a transaction holds its locks against everybody: after this it has none. */
const LONGEST_PAUSE_MS = 10_000

/**
 * One pool, as one role. `owner` is for migrations only; `upbeat_app` owns nothing and sees nothing until a
 * transaction names its page; `upbeat_system` serves the few jobs that cross pages.
 */
export function openOrm(options: { url: string; role?: string; poolMax: number; name?: string }): Promise<Orm> {
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
      options: [
        `idle_in_transaction_session_timeout=${LONGEST_PAUSE_MS}`,
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

/** Whether the database answers right now. */
export function answers(orm: Orm): Promise<boolean> {
  return orm.em
    .fork()
    .execute('select 1')
    .then(
      () => true,
      () => false,
    )
}
