import { Migration } from '@mikro-orm/migrations'
import { build, walls } from './wall.ts'

const events = [
  `update notification_event set state = 'no_recipient'`,
  `alter table notification_event add column content jsonb null, add column expanded_to int null,
    add column withheld text null,
    add column left_out jsonb not null default '{}', add constraint notification_event_wall_key unique (page_id, id)`,
]

const deliveries = [
  `create table delivery (
    id bigserial primary key, page_id int not null, notification_id bigint not null, subscriber_id int null,
    channel text not null, address text not null, state text not null, reason text null,
    attempts jsonb not null, digest boolean not null, next_attempt_at timestamptz(3) null,
    claimed_until timestamptz(3) null, sent_at timestamptz(3) null, read_at timestamptz(3) null,
    created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    constraint delivery_recipient_key unique (page_id, notification_id, channel, address)
  )`,
  `create index delivery_pending_idx on delivery (page_id, notification_id, channel, next_attempt_at, id)
    where next_attempt_at is not null and not digest`,
  `create index delivery_digest_idx on delivery (page_id, next_attempt_at) where digest and next_attempt_at is not null`,
  `create index delivery_subscriber_idx on delivery (page_id, subscriber_id, id)`,
  `create index delivery_digest_subscriber_idx on delivery (page_id, subscriber_id, id)
    where digest and next_attempt_at is not null`,
  `create index delivery_notification_idx on delivery (page_id, notification_id, id)`,
  `create index delivery_state_idx on delivery (page_id, state, id) where state <> 'sent'`,
  `create index delivery_in_app_idx on delivery (page_id, id) where channel = 'in_app'`,
  ...walls('delivery'),
  `alter table delivery add foreign key (page_id, notification_id)
    references notification_event (page_id, id) on delete cascade`,
]

const alerts = [
  `alter table incident add column quiet_from timestamptz(3) null, add column alerted_for timestamptz(3) null`,
  `update incident set quiet_from = reminders_from`,
  `alter table incident alter column quiet_from set not null`,
]

/** Answers quickly whether an event has any subscription that asks for it. */
const questions = [
  `create index subscription_internal_idx on subscription (page_id) where internal`,
  `create index subscription_item_status_idx on subscription (page_id)
    where event_kinds @> '["item.status_changed"]'::jsonb`,
]

/** What is sent of a notification to each of its recipients. */
export class Deliveries extends Migration {
  override up(): void {
    build(this, [...events, ...deliveries, ...alerts, ...questions])
  }
}
