import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { bigId, moment, pageId, pagePolicies } from './columns.ts'

/** What an endpoint last reported of one thing at one beat. An ill stage is an open fingerprint. */
export const BeatFingerprint = defineEntity({
  name: 'BeatFingerprint',
  tableName: 'beat_fingerprint',
  policies: pagePolicies(),
  uniques: [{ name: 'beat_fingerprint_key', properties: ['page_id', 'endpoint_id', 'beat_id', 'fingerprint'] }],
  indexes: [
    {
      name: 'beat_fingerprint_open_idx',
      expression:
        'create index "beat_fingerprint_open_idx" on "beat_fingerprint" ("page_id", "beat_id") where (stage <> \'healthy\')',
    },
    {
      name: 'beat_fingerprint_silent_idx',
      expression:
        'create index "beat_fingerprint_silent_idx" on "beat_fingerprint" ("page_id", "endpoint_id", "silent_at") where (silent_at is not null)',
    },
  ],
  properties: {
    id: bigId(),
    page_id: pageId(),
    endpoint_id: p.integer(),
    beat_id: p.integer(),
    fingerprint: p.text(),
    trigger_id: p.integer(),
    stage: p.text().$type<'warning' | 'critical' | 'healthy'>(),
    /** When the present stage began, in the time of the source. */
    since: moment(),
    observed_at: moment(),
    /** The event behind `observed_at`; orders events whose time is the moment of their arrival. */
    event_id: p.bigint('number'),
    last_event_at: moment(),
    /** Without another event by this moment the fingerprint is resolved. */
    silent_at: moment().strictNullable(),
  },
})
export type BeatFingerprint = InferEntity<typeof BeatFingerprint>
