import { Migration } from '@mikro-orm/migrations'
import { build, walls, within } from './wall.ts'

const endpoints = [
  `create table ingest_endpoint (
    id serial primary key, page_id int not null references page (id),
    external_id text null, create_hash text null, name text not null, description text not null,
    provider_type text not null, enabled boolean not null,
    version int not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    constraint ingest_endpoint_external_id_key unique (page_id, external_id),
    constraint ingest_endpoint_wall_key unique (page_id, id)
  )`,
  ...walls('ingest_endpoint'),
  `create table ingest_token (
    hash text not null primary key, page_id int not null, endpoint_id int not null, prefix text not null,
    created_at timestamptz(3) not null, expires_at timestamptz(3) null, ended_at timestamptz(3) null
  )`,
  `create unique index ingest_token_active_idx on ingest_token (page_id, endpoint_id) where expires_at is null`,
  ...walls('ingest_token'),
  within('ingest_token', 'endpoint_id', 'ingest_endpoint'),
  `create table ingest_count (
    endpoint_id int not null primary key, page_id int not null,
    event_count bigint not null, refused_count bigint not null, last_used_at timestamptz(3) null
  )`,
  ...walls('ingest_count'),
  within('ingest_count', 'endpoint_id', 'ingest_endpoint'),
]

const events = [
  `create table ingest_event (
    id bigserial primary key, page_id int not null, endpoint_id int not null, received_at timestamptz(3) not null,
    body text not null, headers jsonb not null, size int not null, delivery_key text null, state text not null,
    evaluated_up_to int null, redacted text null, confirmation_url text null,
    constraint ingest_event_wall_key unique (page_id, id)
  )`,
  // Compressing each body costs more than writing it.
  `alter table ingest_event alter column body set storage external, alter column redacted set storage external`,
  `create index ingest_event_endpoint_idx on ingest_event (page_id, endpoint_id, id)`,
  `create index ingest_event_received_idx on ingest_event (received_at)`,
  `create index ingest_event_pending_idx on ingest_event (page_id, endpoint_id, id) where state = 'pending'`,
  `create unique index ingest_event_delivery_key on ingest_event (endpoint_id, delivery_key) where delivery_key is not null`,
  ...walls('ingest_event'),
  within('ingest_event', 'endpoint_id', 'ingest_endpoint'),
]

const triggers = [
  `create table event_trigger (
    id serial primary key, page_id int not null references page (id),
    external_id text null, create_hash text null, name text not null, source_id int not null,
    enabled boolean not null, draft boolean not null, each_path text null, conditions jsonb null,
    stage_mapping jsonb not null, output_mapping jsonb not null, safety_settings jsonb not null,
    associations jsonb not null, silence_minutes int null,
    match_count bigint not null, last_matched_at timestamptz(3) null, expensive_count int not null, disabled_because text null,
    version int not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    constraint event_trigger_external_id_key unique (page_id, external_id),
    constraint event_trigger_wall_key unique (page_id, id)
  )`,
  `create index event_trigger_source_idx on event_trigger (page_id, source_id)`,
  ...walls('event_trigger'),
  within('event_trigger', 'source_id', 'ingest_endpoint'),
]

const evaluations = [
  `create table event_evaluation (
    id bigserial primary key, page_id int not null, event_id bigint not null, trigger_id int not null,
    trigger_version int not null, element int not null, outcome text not null, leaf text null, stage text null,
    fingerprint text null, external_event_id text null, observed_at timestamptz(3) null, explanation text not null,
    transitions jsonb not null,
    constraint event_evaluation_key unique (page_id, event_id, trigger_id, element)
  )`,
  `create index event_evaluation_trigger_idx on event_evaluation (page_id, trigger_id, external_event_id)`,
  `create index event_evaluation_event_idx on event_evaluation (page_id, trigger_id, event_id)`,
  `create index event_evaluation_outcome_idx on event_evaluation (page_id, outcome, event_id)`,
  ...walls('event_evaluation'),
  `alter table event_evaluation add foreign key (page_id, event_id) references ingest_event (page_id, id) on delete cascade`,
]

const fingerprints = [
  `create table beat_fingerprint (
    id bigserial primary key, page_id int not null, endpoint_id int not null, beat_id int not null,
    fingerprint text not null, trigger_id int not null, stage text not null, since timestamptz(3) not null,
    observed_at timestamptz(3) not null, event_id bigint not null, last_event_at timestamptz(3) not null,
    silent_at timestamptz(3) null,
    constraint beat_fingerprint_key unique (page_id, endpoint_id, beat_id, fingerprint)
  )`,
  `create index beat_fingerprint_open_idx on beat_fingerprint (page_id, beat_id) where stage <> 'healthy'`,
  `create index beat_fingerprint_silent_idx on beat_fingerprint (page_id, endpoint_id, silent_at) where silent_at is not null`,
  ...walls('beat_fingerprint'),
  `alter table beat_fingerprint add foreign key (page_id, beat_id) references beat (page_id, id) on delete cascade`,
]

/** Endpoints that take events of other systems, and the rules that turn events into stages of beats. */
export class Ingest extends Migration {
  override up(): void {
    build(this, [...endpoints, ...events, ...triggers, ...evaluations, ...fingerprints])
  }
}
