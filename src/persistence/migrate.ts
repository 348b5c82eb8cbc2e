import { SYSTEM_ROLE } from './entities/columns.ts'
import { isForbidden } from './failures.ts'
import { migrations } from './migrations/index.ts'
import { type Orm, openOrm } from './orm.ts'
import { run, sql } from './sql.ts'
import { inSystemTransaction } from './transactions.ts'

/**
 * Runs the missing migrations. Of several processes one migrates, and the others wait. A user that does not own the tables,
 * such as the recommended user of the service, only verifies that no migration is missing. `only` limits the migrations.
 */
export async function migrate(url: string, only?: string[]): Promise<string[]> {
  const orm = await openOrm({ url, poolMax: 2, name: 'upbeat-migrate' })
  const done = await runMissing(orm, url, only).catch((error) => {
    // The migrator does not give back a connection that was lost in a migration, so the end of its pool may never come.
    orm.close(true).catch(() => {})
    throw error
  })
  await orm.close(true)
  return done
}

async function runMissing(orm: Orm, url: string, only?: string[]): Promise<string[]> {
  if (!(await mayMigrate(orm))) {
    await requireUpToDate(url)
    return []
  }
  return inSystemTransaction(orm, async (tx) => {
    // Migrations run on another connection. This connection is idle meanwhile, however long that takes.
    await run(tx, sql`set local idle_in_transaction_session_timeout = 0`)
    await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('upbeat migrations', 0))`)
    const done = await orm.migrator.up(only)
    return done.map((migration) => migration.name)
  })
}

/** Without tables the answer is yes: PostgreSQL refuses a user that may not create tables. */
async function mayMigrate(orm: Orm): Promise<boolean> {
  const [row] = await run<{ may: boolean }>(
    orm.em,
    sql`select coalesce(bool_and(pg_has_role(relowner, 'usage')), true) as may from pg_class
      where oid = to_regclass('public.migration')`,
  )
  return row!.may
}

/** Migrations are missing, and the user may not run them. */
class MigrationsMissing extends Error {
  override name = 'MigrationsMissing'
}

async function requireUpToDate(url: string): Promise<void> {
  const done = new Set(await migrationsOf(url))
  const missing = migrations.filter(({ name }) => !done.has(name)).map(({ name }) => name)
  if (missing.length === 0) return
  throw new MigrationsMissing(
    `The database lacks the migrations from ${missing[0]} on, and the user of DATABASE_URL does not own its tables: ` +
      'run `npm run admin -- migrate` with a DATABASE_URL of the owner first.',
  )
}

async function migrationsOf(url: string): Promise<string[]> {
  const orm = await openOrm({ url, role: SYSTEM_ROLE, poolMax: 1, name: 'upbeat-migrate' })
  try {
    const rows = await run<{ name: string }>(orm.em, sql`select name from migration`)
    return rows.map(({ name }) => name)
  } catch (error) {
    // In databases of older versions only the owner may read this table.
    if (isForbidden(error)) return []
    throw error
  } finally {
    await orm.close(true)
  }
}
