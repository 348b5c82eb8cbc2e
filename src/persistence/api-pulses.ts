import type { EntityManager } from '@mikro-orm/postgresql'
import { run, sql } from './sql.ts'

export interface Pulse {
  able_since: Date
  seen_at: Date
}

/** The span of time in which each API process could take calls, most recent first. */
export async function readPulses(tx: EntityManager): Promise<Pulse[]> {
  const rows = await run<Pulse>(tx, sql`select able_since, seen_at from api_pulse order by seen_at desc`)
  return rows.map(({ able_since, seen_at }) => ({ able_since: new Date(able_since), seen_at: new Date(seen_at) }))
}
