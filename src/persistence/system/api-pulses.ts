import type { Orm } from '../orm.ts'
import { run } from '../prepared.ts'

interface StoredPulse {
  processId: string
  ableSince: Date
  seenAt: Date
  othersSince: Date
}

const store = `insert into api_pulse (process_id, able_since, seen_at) values ($1, $2, $3)
  on conflict (process_id) do update
    set able_since = greatest(api_pulse.able_since, excluded.able_since), seen_at = excluded.seen_at
  returning exists (select from api_pulse o where o.process_id <> $1 and o.seen_at > $4) as others`

/** Returns whether another process has stored a pulse since `othersSince`. */
export async function storePulse(system: Orm, stored: StoredPulse): Promise<boolean> {
  const { processId, ableSince, seenAt, othersSince } = stored
  const [row] = await run<{ others: boolean }>(system.em, store, [processId, ableSince, seenAt, othersSince])
  return row!.others
}

/** A call was refused, so no process counts as available before this moment. */
export async function interruptPulses(system: Orm, moment: Date): Promise<void> {
  await run(system.em, 'update api_pulse set able_since = $1 where able_since < $1', [moment])
}

export async function deletePulses(system: Orm, before: Date): Promise<void> {
  await run(system.em, 'delete from api_pulse where seen_at < $1', [before])
}
