import { openOrm } from './orm.ts'

/** Brings the database up to date. Several processes may try at once: one works, the others wait for it. */
export async function migrate(url: string): Promise<string[]> {
  const orm = await openOrm({ url, poolMax: 2, name: 'upbeat-migrate' })
  try {
    return await orm.em.fork().transactional(async (tx) => {
      await tx.execute(`select pg_advisory_xact_lock(hashtextextended('upbeat migrations', 0))`)
      const done = await orm.migrator.up()
      return done.map((migration) => migration.name)
    })
  } finally {
    await orm.close(true)
  }
}
