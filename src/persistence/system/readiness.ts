import { setTimeout as sleep } from 'node:timers/promises'
import type { Orm } from '../orm.ts'
import { run, sql } from '../sql.ts'

const PATIENCE_MS = 3000

/** Needs more memory than `work_mem`, so that the server writes a temporary file and deletes it. */
const writeTemporaryFile = sql`set local work_mem = '64kB';
  select count(*) from unnest(array_fill(repeat('x', 100000), array[4]))`

/**
 * Whether the database takes writes now. A disk that is full may still have room for a small update, so besides `write`
 * the server has to write a temporary file.
 */
export async function takesWrites(system: Orm, write: () => Promise<void>): Promise<boolean> {
  const tried = Promise.all([write(), run(system.em, writeTemporaryFile)]).then(
    () => true,
    () => false,
  )
  return Promise.race([tried, sleep(PATIENCE_MS, false, { ref: false })])
}
