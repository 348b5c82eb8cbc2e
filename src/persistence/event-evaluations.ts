import type { EntityManager } from '@mikro-orm/postgresql'
import { partsOf } from './parts.ts'
import { run, sql } from './sql.ts'

/** What triggers made of events, written for a whole batch. */

export interface NewEvaluation {
  page_id: number
  event_id: number
  trigger_id: number
  trigger_version: number
  element: number
  outcome: string
  leaf: string | null
  stage: string | null
  fingerprint: string | null
  external_event_id: string | null
  observed_at: Date | null
  explanation: string
  transitions: { beat_id: number; number: number }[]
}

const evaluationColumns = sql`page_id, event_id, trigger_id, trigger_version, element, outcome, leaf, stage,
  fingerprint, external_event_id, observed_at, explanation, transitions`

export async function insertEvaluations(tx: EntityManager, evaluations: NewEvaluation[]): Promise<void> {
  for (const part of partsOf(evaluations)) {
    await run(
      tx,
      sql`insert into event_evaluation (${evaluationColumns})
        select ${evaluationColumns}
          from jsonb_populate_recordset(null::event_evaluation, ${JSON.stringify(part)}::jsonb)`,
    )
  }
}

/** Which of these event ids a trigger has evaluated before, as `trigger:event id`. */
export async function seenEventIds(tx: EntityManager, ids: [number, string][]): Promise<string[]> {
  const keys: string[] = []
  for (const part of partsOf(ids)) {
    const rows = await run<{ key: string }>(
      tx,
      sql`select distinct e.trigger_id || ':' || e.external_event_id as key
        from unnest(${part.map(([triggerId]) => triggerId)}::int[], ${part.map(([, eventId]) => eventId)}::text[])
            as i (trigger_id, external_event_id)
          join event_evaluation e on e.trigger_id = i.trigger_id and e.external_event_id = i.external_event_id`,
    )
    keys.push(...rows.map(({ key }) => key))
  }
  return keys
}

export interface TriggerCount {
  id: number
  matched: number
  last_matched_at: Date | null
}

export async function countMatches(tx: EntityManager, counts: TriggerCount[]): Promise<void> {
  const matched = counts.filter((count) => count.matched > 0)
  if (matched.length === 0) return
  await run(
    tx,
    sql`update event_trigger t set match_count = t.match_count + n.matched, last_matched_at = n.at
      from unnest(${matched.map((count) => count.id)}::int[], ${matched.map((count) => count.matched)}::int[],
          ${matched.map((count) => count.last_matched_at)}::timestamptz[])
        as n (id, matched, at) where t.id = n.id`,
  )
}
