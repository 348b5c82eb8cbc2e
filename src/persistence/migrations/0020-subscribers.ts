import { Migration } from '@mikro-orm/migrations'
import { build, walls } from './wall.ts'

const subscribers = [
  `create table subscriber (
    id serial primary key, page_id int not null references page (id),
    channel text not null, address text not null, shown_address text not null, state text not null,
    locale text null, time_zone text null, frequency text not null, source text not null,
    confirmed_at timestamptz(3) null, unsubscribed_at timestamptz(3) null,
    suppressed_at timestamptz(3) null, suppression_reason text null,
    bounce_count int not null, confirmation_number int not null, confirmation_sent_at timestamptz(3) null,
    previous_secret_until timestamptz(3) null,
    version int not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    constraint subscriber_address_key unique (page_id, channel, address),
    constraint subscriber_wall_key unique (page_id, id)
  )`,
  `create index subscriber_state_idx on subscriber (page_id, state, id)`,
  ...walls('subscriber'),
]

const subscriptions = [
  `create table subscription (
    id serial primary key, page_id int not null, subscriber_id int not null,
    scope_kind text not null, items jsonb not null, event_kinds jsonb not null,
    internal boolean not null, enabled boolean not null,
    created_at timestamptz(3) not null, updated_at timestamptz(3) not null
  )`,
  `create index subscription_subscriber_idx on subscription (page_id, subscriber_id)`,
  ...walls('subscription'),
  `alter table subscription add foreign key (page_id, subscriber_id) references subscriber (page_id, id) on delete cascade`,
]

/** The recipients of notifications, with what each wants to be informed of. */
export class Subscribers extends Migration {
  override up(): void {
    build(this, [...subscribers, ...subscriptions])
  }
}
