import { Migration } from '@mikro-orm/migrations'
import { build, walls, within } from './wall.ts'

const turns = [
  `create table delegation_turn (
    id serial primary key, page_id int not null references page (id),
    chat_app_id text not null, message_key text null, thread_key text null, query text not null,
    asked jsonb not null, asker jsonb not null, reach jsonb not null,
    state text not null, claimed_until timestamptz(3) null, answer jsonb null, memory jsonb null,
    created_at timestamptz(3) not null, answered_at timestamptz(3) null,
    response_key text null, delivered_at timestamptz(3) null, delivery jsonb null,
    rating text null, rating_reason text null, rated_at timestamptz(3) null,
    constraint delegation_turn_message_key unique (page_id, chat_app_id, message_key),
    constraint delegation_turn_wall_key unique (page_id, id)
  )`,
  `create index delegation_turn_thread_idx on delegation_turn (page_id, chat_app_id, thread_key, id)`,
  `create index delegation_turn_response_idx on delegation_turn (page_id, response_key)`,
  `create index delegation_turn_created_idx on delegation_turn (created_at)`,
  ...walls('delegation_turn'),
]

const plans = [
  `create table action_plan (
    id serial primary key, page_id int not null references page (id), turn_id int null,
    status text not null, summary text not null, steps jsonb not null, questions jsonb not null, conflicts jsonb not null,
    request jsonb null, new_answers jsonb null, asker jsonb not null, reach jsonb not null,
    created_at timestamptz(3) not null, expires_at timestamptz(3) not null,
    confirmed_at timestamptz(3) null, confirmer jsonb null, ended_because text null,
    version int not null,
    constraint action_plan_turn_key unique (page_id, turn_id)
  )`,
  `create index action_plan_created_idx on action_plan (created_at)`,
  ...walls('action_plan'),
  within('action_plan', 'turn_id', 'delegation_turn'),
]

/** Messages for the agent with their answers, and the plans that answers contain. */
export class Agent extends Migration {
  override up(): void {
    build(this, [...turns, ...plans])
  }
}
