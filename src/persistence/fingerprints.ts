import type { EntityManager } from '@mikro-orm/postgresql'
import { partsOf } from './parts.ts'
import { run, sql } from './sql.ts'

/** The fingerprints of beats, read and written for a whole batch. */

export interface StoredFingerprint {
  endpoint_id: number
  beat_id: number
  fingerprint: string
  trigger_id: number
  stage: string
  since: Date
  observed_at: Date
  event_id: number
  last_event_at: Date
  silent_at: Date | null
}

const fingerprintColumns = sql`endpoint_id, beat_id, fingerprint, trigger_id, stage, since, observed_at,
  event_id::float8 as event_id, last_event_at, silent_at`

/** The open fingerprints of these beats, and all that are named. */
export async function fingerprintsOf(
  tx: EntityManager,
  beatIds: number[],
  named: { endpointId: number; fingerprints: string[] },
): Promise<StoredFingerprint[]> {
  if (beatIds.length === 0) return []
  return run<StoredFingerprint>(
    tx,
    sql`select ${fingerprintColumns} from beat_fingerprint
      where beat_id = any(${beatIds}::int[]) and (stage <> 'healthy'
        or (endpoint_id = ${named.endpointId} and fingerprint = any(${named.fingerprints}::text[])))`,
  )
}

export async function saveFingerprints(tx: EntityManager, pageId: number, states: StoredFingerprint[]): Promise<void> {
  for (const part of partsOf(states)) await savePart(tx, pageId, part)
}

const storedColumns = sql`endpoint_id, beat_id, fingerprint, trigger_id, stage, since, observed_at, event_id,
  last_event_at, silent_at`

async function savePart(tx: EntityManager, pageId: number, states: StoredFingerprint[]): Promise<void> {
  const rows = states.map((state) => ({ page_id: pageId, ...state }))
  await run(
    tx,
    sql`insert into beat_fingerprint (page_id, ${storedColumns})
      select page_id, ${storedColumns}
        from jsonb_populate_recordset(null::beat_fingerprint, ${JSON.stringify(rows)}::jsonb)
      on conflict (page_id, endpoint_id, beat_id, fingerprint) do update set trigger_id = excluded.trigger_id,
        stage = excluded.stage, since = excluded.since, observed_at = excluded.observed_at,
        event_id = excluded.event_id, last_event_at = excluded.last_event_at, silent_at = excluded.silent_at`,
  )
}

/** The open fingerprints of an endpoint whose silence timeout has passed. */
export const silentFingerprints = (tx: EntityManager, endpointId: number, now: Date): Promise<StoredFingerprint[]> =>
  run<StoredFingerprint>(
    tx,
    sql`select ${fingerprintColumns} from beat_fingerprint
      where endpoint_id = ${endpointId} and silent_at <= ${now} order by silent_at`,
  )

export async function nextSilence(tx: EntityManager, endpointId: number): Promise<Date | null> {
  const [row] = await run<{ at: string | Date | null }>(
    tx,
    sql`select min(silent_at) as at from beat_fingerprint
      where endpoint_id = ${endpointId} and silent_at is not null`,
  )
  return row?.at ? new Date(row.at) : null
}
