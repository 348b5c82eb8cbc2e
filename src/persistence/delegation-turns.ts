import type { EntityManager } from '@mikro-orm/postgresql'
import type { DelegationTurn, StoredActor } from './entities/delegation-turn.ts'
import { runUnprepared, sql } from './sql.ts'

interface NewTurn
  extends Pick<DelegationTurn, 'page_id' | 'chat_app_id' | 'message_key' | 'thread_key' | 'query' | 'asked'> {
  asker: StoredActor
  reach: Record<string, string>
  now: Date
}

/** Stores a turn and returns its id; undefined if the message has a turn already. */
export async function insertTurn(tx: EntityManager, turn: NewTurn): Promise<number | undefined> {
  const rows = await runUnprepared<{ id: number }>(
    tx,
    sql`insert into delegation_turn
        (page_id, chat_app_id, message_key, thread_key, query, asked, asker, reach, state, created_at)
      values (${turn.page_id}, ${turn.chat_app_id}, ${turn.message_key}, ${turn.thread_key}, ${turn.query},
        ${JSON.stringify(turn.asked)}::jsonb, ${JSON.stringify(turn.asker)}::jsonb,
        ${JSON.stringify(turn.reach)}::jsonb, 'processing', ${turn.now})
      on conflict (page_id, chat_app_id, message_key) do nothing returning id`,
  )
  return rows[0]?.id
}

/** Keeps other processes from computing the same answer for a while. False if another process does, or the turn is answered. */
export async function claimAnswer(tx: EntityManager, id: number, { now, until }: { now: Date; until: Date }) {
  const rows = await runUnprepared<{ id: number }>(
    tx,
    sql`update delegation_turn set claimed_until = ${until} where id = ${id} and state = 'processing'
      and (claimed_until is null or claimed_until <= ${now}) returning id`,
  )
  return rows.length > 0
}
