import type { Orm } from '../orm.ts'
import { run, sql } from '../sql.ts'

interface StoredPulse {
  processId: string
  ableSince: Date
  seenAt: Date
  othersSince: Date
}

/** Returns whether another process has stored a pulse since `othersSince`. */
export async function storePulse(system: Orm, stored: StoredPulse): Promise<boolean> {
  const { processId, ableSince, seenAt, othersSince } = stored
  const [row] = await run<{ others: boolean }>(
    system.em,
    sql`insert into api_pulse (process_id, able_since, seen_at) values (${processId}, ${ableSince}, ${seenAt})
      on conflict (process_id) do update
        set able_since = greatest(api_pulse.able_since, excluded.able_since), seen_at = excluded.seen_at
      returning exists (select from api_pulse o where o.process_id <> ${processId} and o.seen_at > ${othersSince}) as others`,
  )
  return row!.others
}

/** A call was refused, so no process counts as available before this moment. */
export async function interruptPulses(system: Orm, moment: Date): Promise<void> {
  await run(system.em, sql`update api_pulse set able_since = ${moment} where able_since < ${moment}`)
}

export async function deletePulses(system: Orm, before: Date): Promise<void> {
  await run(system.em, sql`delete from api_pulse where seen_at < ${before}`)
}
