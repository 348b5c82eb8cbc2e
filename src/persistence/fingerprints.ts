import type { EntityManager } from '@mikro-orm/postgresql'
import { partsOf } from './parts.ts'
import { run } from './prepared.ts'

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

const fingerprintColumns =
  'endpoint_id, beat_id, fingerprint, trigger_id, stage, since, observed_at, event_id::float8 as event_id, last_event_at, silent_at'

/** The open fingerprints of these beats, and all that are named. */
export async function fingerprintsOf(
  tx: EntityManager,
  beatIds: number[],
  named: { endpointId: number; fingerprints: string[] },
): Promise<StoredFingerprint[]> {
  if (beatIds.length === 0) return []
  return run<StoredFingerprint>(
    tx,
    `select ${fingerprintColumns} from beat_fingerprint
      where beat_id = any($1::int[]) and (stage <> 'healthy' or (endpoint_id = $2 and fingerprint = any($3::text[])))`,
    [beatIds, named.endpointId, named.fingerprints],
  )
}

export async function saveFingerprints(tx: EntityManager, pageId: number, states: StoredFingerprint[]): Promise<void> {
  for (const part of partsOf(states)) await savePart(tx, pageId, part)
}

async function savePart(tx: EntityManager, pageId: number, states: StoredFingerprint[]): Promise<void> {
  const columns =
    'endpoint_id, beat_id, fingerprint, trigger_id, stage, since, observed_at, event_id, last_event_at, silent_at'
  await run(
    tx,
    `insert into beat_fingerprint (page_id, ${columns})
      select page_id, ${columns} from jsonb_populate_recordset(null::beat_fingerprint, $1::jsonb)
      on conflict (page_id, endpoint_id, beat_id, fingerprint) do update set trigger_id = excluded.trigger_id,
        stage = excluded.stage, since = excluded.since, observed_at = excluded.observed_at,
        event_id = excluded.event_id, last_event_at = excluded.last_event_at, silent_at = excluded.silent_at`,
    [JSON.stringify(states.map((state) => ({ page_id: pageId, ...state })))],
  )
}

/** The open fingerprints of an endpoint whose silence timeout has passed. */
export const silentFingerprints = (tx: EntityManager, endpointId: number, now: Date): Promise<StoredFingerprint[]> =>
  run<StoredFingerprint>(
    tx,
    `select ${fingerprintColumns} from beat_fingerprint where endpoint_id = $1 and silent_at <= $2::timestamptz order by silent_at`,
    [endpointId, now],
  )

export async function nextSilence(tx: EntityManager, endpointId: number): Promise<Date | null> {
  const [row] = await run<{ at: string | Date | null }>(
    tx,
    'select min(silent_at) as at from beat_fingerprint where endpoint_id = $1 and silent_at is not null',
    [endpointId],
  )
  return row?.at ? new Date(row.at) : null
}
