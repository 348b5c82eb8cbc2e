import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { json, moment, pageId, pagePolicies } from './columns.ts'

/** The counted checks of a beat from one region in a minute or an hour. */
export const BeatRollup = defineEntity({
  name: 'BeatRollup',
  tableName: 'beat_rollup',
  policies: pagePolicies(),
  properties: {
    beat_id: p.integer().primary().autoincrement(false),
    /** 60 or 3600. */
    span_seconds: p.integer().primary().autoincrement(false),
    at: moment().primary(),
    region: p.text().primary(),
    page_id: pageId(),
    checks: p.integer(),
    failures: p.integer(),
    /** The number of checks by latency bucket; each bucket is a tenth wider than the bucket before. */
    latencies: json<Record<string, number>>(),
  },
})
export type BeatRollup = InferEntity<typeof BeatRollup>
