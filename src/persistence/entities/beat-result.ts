import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { moment, pageId, pagePolicies } from './columns.ts'

/** The result of one check. Many rows are written each second, so the table has few columns and one index. */
export const BeatResult = defineEntity({
  name: 'BeatResult',
  tableName: 'beat_result',
  policies: pagePolicies(),
  properties: {
    beat_id: p.integer().primary().autoincrement(false),
    /** The moment of the slot; for a requested check, the moment of the request. */
    due_at: moment().primary(),
    region: p.text().primary(),
    page_id: pageId(),
    id: p.bigint('number').autoincrement(),
    /** The number of the slot on the grid of the beat; null for a requested check. */
    slot: p.bigint('number').strictNullable(),
    at: moment(),
    /** The number of the target that was checked. */
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
