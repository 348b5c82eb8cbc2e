import type { EntityManager } from '@mikro-orm/postgresql'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { Heartbeat } from '../../../persistence/entities/heartbeat.ts'
import { takesCalls } from '../types/index.ts'

const iso = (moment: Date | null) => moment?.toISOString()

/** The calls of these beats, as far as they are heartbeats, in one query. */
export async function callsOf(tx: EntityManager, beats: Pick<Beat, 'id' | 'type'>[]) {
  const ids = beats.filter(({ type }) => takesCalls(type)).map(({ id }) => id)
  const rows = ids.length > 0 ? await tx.find(Heartbeat, { beat_id: { $in: ids } }) : []
  const byId = new Map(rows.map((row) => [row.beat_id, row]))
  return (id: number) => {
    const row = byId.get(id)
    if (!row) return undefined
    return {
      last_call: row.last_call ?? undefined,
      last_call_at: iso(row.last_call_at),
      started_at: iso(row.started_at),
      last_duration_ms: row.duration_ms ?? undefined,
      due_at: row.due_at.toISOString(),
    }
  }
}
