import type { EntityManager } from '@mikro-orm/postgresql'
import { idList } from './rows.ts'
import { run, sql } from './sql.ts'

interface Evaluation {
  at: Date
  /** The evidence of the last check of the present target; null without such a check. */
  evidence: string | null
}

/** The last check or call of each of these beats; a beat without a check or call is absent. */
export async function lastEvaluated(tx: EntityManager, ids: number[]): Promise<Map<number, Evaluation>> {
  const rows = await run<{ id: number; at: string | Date; evidence: string | null }>(
    tx,
    sql`select wanted.id, greatest(seen.at, h.last_call_at) as at,
        case when seen.target_number = b.target_number then seen.evidence end as evidence
      from unnest(${idList(ids)}::int[]) as wanted (id)
      join beat b on b.id = wanted.id
      left join lateral (select r.at, r.evidence, r.target_number from beat_result r where r.beat_id = wanted.id
        order by r.due_at desc limit 1) seen on true
      left join heartbeat h on h.beat_id = wanted.id
      where seen.at is not null or h.last_call_at is not null`,
  )
  return new Map(rows.map(({ id, at, evidence }) => [id, { at: new Date(at), evidence }]))
}

/** Ends the banners of a deleted beat or group, and supersedes its actions that wait for review. */
export async function endActing(
  tx: EntityManager,
  [kind, id]: ['beat' | 'beat_group', number],
  { now, because }: { now: Date; because: string },
): Promise<void> {
  // A banner of a group names a member in beat_id, and belongs to the group.
  const its = kind === 'beat' ? sql`beat_id = ${id} and beat_group_id is null` : sql`beat_group_id = ${id}`
  await run(
    tx,
    sql`with ended as (update banner set dismissed_at = ${now}, dismissed_by = ${because}
        where ${its} and dismissed_at is null)
      update beat_action set state = 'superseded', reason = ${because}, version = version + 1, updated_at = ${now}
        where owner_kind = ${kind} and owner_id = ${id} and state = 'pending_review'`,
  )
}

/**
 * The same as `beatConfigChanged` for all beats of a page, with a note in the history of each one. Locks beats in the order of their
 * ids, as all functions do.
 */
export async function beatsChanged(tx: EntityManager, pageId: number, now: Date, note: string): Promise<void> {
  await run(
    tx,
    sql`with locked as (select id from beat order by id for update),
        raised as (update beat b set config_version = config_version + 1 from locked where b.id = locked.id),
        noted as (insert into process_note (page_id, workflow_id, at, cause, message)
          select ${pageId}::int, 'beat:' || id, ${now}::timestamptz, 'request', ${note} from locked)
      insert into beat_change (page_id, beat_id, created_at) select ${pageId}, id, ${now} from locked`,
  )
}
