import { type Statement, sql } from './sql.ts'

/**
 * Latencies are counted in buckets, each a tenth wider than the bucket before: bucket n counts latencies above 1.1^(n-1) ms
 * and up to 1.1^n ms. A check without an answer has no latency, and no bucket. `latency-rules.ts` of the domain computes
 * percentiles from the buckets.
 */
const bucketOf = (column: Statement) =>
  sql`case when ${column} is not null then ceil(ln(greatest(${column}, 1)::float8) / ln(1.1::float8))::int end`

/** The number of results by bucket, from a subquery with the columns `bucket` and `counted`. */
export const byBucket = sql`coalesce(jsonb_object_agg(bucket, counted) filter (where bucket is not null), '{}'::jsonb)`

/**
 * The results of the beat `asked.beat_id` between the expressions `from` and `to`, by region and minute. Beat by beat,
 * because results have no index by time, which every insert would have to maintain.
 */
export const resultsByMinute = (from: Statement, to: Statement) => sql`
  select beat_id, region, minute as at, min(page_id) as page_id, sum(counted)::int as checks,
    sum(failed)::int as failures, ${byBucket} as latencies
  from (select beat_id, region, page_id, date_bin('1 minute', due_at, 'epoch') as minute,
      ${bucketOf(sql`latency_ms`)} as bucket, count(*) as counted, count(*) filter (where not ok) as failed
    from beat_result where beat_id = asked.beat_id and due_at >= ${from} and due_at < ${to}
    group by beat_id, region, page_id, minute, bucket) counts
  group by beat_id, region, minute`
