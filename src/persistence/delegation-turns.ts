import type { EntityManager } from '@mikro-orm/postgresql'
import type { DelegationTurn, StoredActor } from './entities/delegation-turn.ts'

interface NewTurn
  extends Pick<DelegationTurn, 'page_id' | 'chat_app_id' | 'message_key' | 'thread_key' | 'query' | 'asked'> {
  asker: StoredActor
  reach: Record<string, string>
  now: Date
}

/** Stores a turn and returns its id; undefined if the message has a turn already. */
export async function insertTurn(tx: EntityManager, turn: NewTurn): Promise<number | undefined> {
  const rows = await tx.execute<{ id: number }[]>(
    `insert into delegation_turn
        (page_id, chat_app_id, message_key, thread_key, query, asked, asker, reach, state, created_at)
      values (?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?::jsonb, 'processing', ?)
      on conflict (page_id, chat_app_id, message_key) do nothing returning id`,
    [
      turn.page_id,
      turn.chat_app_id,
      turn.message_key,
      turn.thread_key,
      turn.query,
      JSON.stringify(turn.asked),
      JSON.stringify(turn.asker),
      JSON.stringify(turn.reach),
      turn.now,
    ],
  )
  return rows[0]?.id
}

/** Keeps other processes from computing the same answer for a while. False if another process does, or the turn is answered. */
export async function claimAnswer(tx: EntityManager, id: number, { now, until }: { now: Date; until: Date }) {
  const rows = await tx.execute<{ id: number }[]>(
    `update delegation_turn set claimed_until = ? where id = ? and state = 'processing'
      and (claimed_until is null or claimed_until <= ?) returning id`,
    [until, id, now],
  )
  return rows.length > 0
}
