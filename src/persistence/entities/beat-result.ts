import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { moment, pageId, wall } from './columns.ts'

/** What one check saw. Many a second are written, so there is no more here than is needed, and one index. */
export const BeatResult = defineEntity({
  name: 'BeatResult',
  tableName: 'beat_result',
  policies: wall(),
  properties: {
    beat_id: p.integer().primary().autoincrement(false),
    /** The moment of the grid; of a check that somebody asked for, that at which it began. */
    due_at: moment().primary(),
    region: p.text().primary(),
    page_id: pageId(),
    id: p.bigint('number').autoincrement(),
    /** Which of the beat's slots, counted on its grid; null when somebody asked for it. */
    slot: p.bigint('number').strictNullable(),
    at: moment(),
    /** Which of the beat's targets was checked. */
    target_number: p.integer().default(0),
    ok: p.boolean(),
    latency_ms: p.integer().strictNullable(),
    status_code: p.smallint().strictNullable(),
    packet_loss: p.smallint().strictNullable(),
    certificate_days: p.integer().strictNullable(),
    evidence: p.text(),
  },
})
export type BeatResult = InferEntity<typeof BeatResult>
