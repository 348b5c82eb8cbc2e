import type { Client } from 'pg'

interface Acting {
  threshold_policies: object
  action_policies: object
}

const silent: Acting = { threshold_policies: { critical_rule: { consecutive_failures: 3 } }, action_policies: {} }

/** So many beats of the page, as the API would have made them, once their first result is past. */
export async function seedBeats(
  database: Client,
  count: number,
  url: string,
  intervalSeconds: number,
  { threshold_policies, action_policies } = silent,
): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    `with made as (insert into beat (page_id, name, description, type, target, interval_seconds, timeout_ms, regions,
        threshold_policies, action_policies, message_policies, current_stage, enabled, automation_paused, public_metrics_enabled,
        config_version, transition_number, settled_number, version, created_at, updated_at)
      select (select min(id) from page), 'Beat ' || n, '', 'http', jsonb_build_object('url', $1::text || '/' || n), $2, 1000,
        '["local"]', $4::jsonb, $5::jsonb, '{}', 'healthy', true, false, false, 1, 0, 0, 1, now(), now()
      from generate_series(1, $3::int) n returning id, page_id),
      changed as (insert into beat_change (page_id, beat_id, created_at) select page_id, id, now() from made)
      select id from made order by id`,
    [url, intervalSeconds, count, JSON.stringify(threshold_policies), JSON.stringify(action_policies)],
  )
  await database.query('analyze beat')
  return rows.map(({ id }) => id)
}

/** No beat is checked any more, and what was seen of them is gone. */
export async function clearBeats(database: Client): Promise<void> {
  await database.query(
    `with changed as (update beat set enabled = false where enabled returning page_id, id)
      insert into beat_change (page_id, beat_id, created_at) select page_id, id, now() from changed`,
  )
}

export interface Kept {
  checks: number
  /** Of the slots that were due. */
  share: number
  latenessP99: number
}

/** What of the slots between two moments has a result. */
export async function keptBetween(database: Client, from: Date, to: Date, expected: number): Promise<Kept> {
  const { rows } = await database.query<{ checks: number; late: number }>(
    `select count(*)::int as checks,
        coalesce(extract(epoch from percentile_disc(0.99) within group (order by at - due_at)) * 1000, 0)::float8 as late
      from beat_result where due_at >= $1 and due_at < $2`,
    [from, to],
  )
  const { checks, late } = rows[0]!
  return { checks, share: checks / expected, latenessP99: late }
}

/** Maps each beat to one of these items, in turn. */
export async function mapBeats(database: Client, beats: number[], items: number[]): Promise<void> {
  await database.query(
    `insert into beat_component (page_id, owner_kind, owner_id, item_id, reference)
      select (select min(id) from page), 'beat', beat, item, jsonb_build_object('id', item)
      from (select beat, ($2::int[])[1 + n % array_length($2::int[], 1)] as item
        from unnest($1::int[]) with ordinality as b (beat, n)) mapped`,
    [beats, items],
  )
  await database.query('analyze beat_component')
}
