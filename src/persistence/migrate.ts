import { SYSTEM_ROLE } from './entities/columns.ts'
import { isForbidden } from './failures.ts'
import { migrations } from './migrations/index.ts'
import { type Orm, openOrm } from './orm.ts'

/**
 * Brings the database up to date. Several processes may try at once: one works, the others wait for it. A user that does
 * not own the tables, as the service should have, only finds out whether their owner has done it. `only` names the
 * migrations to run, of those that have not run yet.
 */
export async function migrate(url: string, only?: string[]): Promise<string[]> {
  const orm = await openOrm({ url, poolMax: 2, name: 'upbeat-migrate' })
  try {
    if (!(await mayMigrate(orm))) {
      await requireUpToDate(url)
      return []
    }
    return await orm.em.fork().transactional(async (tx) => {
      await tx.execute(`select pg_advisory_xact_lock(hashtextextended('upbeat migrations', 0))`)
      const done = await orm.migrator.up(only)
      return done.map((migration) => migration.name)
    })
  } finally {
    await orm.close(true)
  }
}

/** Where there are no tables yet, PostgreSQL itself says whether this user may make them. */
async function mayMigrate(orm: Orm): Promise<boolean> {
  const [row] = await orm.em.fork().execute<{ may: boolean }[]>(
    `select coalesce(bool_and(pg_has_role(relowner, 'usage')), true) as may from pg_class
        where oid = to_regclass('public.migration')`,
  )
  return row!.may
}

/** The database has not seen all migrations, and whoever asks may not run them. */
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
    const rows = await orm.em.fork().execute<{ name: string }[]>('select name from migration')
    return rows.map(({ name }) => name)
  } catch (error) {
    // Older versions let nobody but the owner read that table.
    if (isForbidden(error)) return []
    throw error
  } finally {
    await orm.close(true)
  }
}
