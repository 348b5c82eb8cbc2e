import { Migration } from '@mikro-orm/migrations'
import { build, walls, within } from './wall.ts'

const groups = [
  `create table beat_group (
    id serial primary key,
    page_id int not null,
    name text not null,
    description text not null,
    external_id text null,
    create_hash text null,
    impact text null,
    affected_items_freetext text null,
    automation_paused boolean not null,
    automation_pause_reason text null,
    muted_until timestamptz(3) null,
    message_source_mode text not null,
    action_policies jsonb not null,
    message_policies jsonb not null,
    current_stage text null,
    flapping_since timestamptz(3) null,
    transition_number int not null,
    settled_number int not null,
    acted_stage text null,
    last_evidence_summary text null,
    last_state_changed_at timestamptz(3) null,
    last_transition_from_stage text null,
    last_transition_to_stage text null,
    last_action_created_at timestamptz(3) null,
    current_incident_id int null,
    told jsonb not null,
    version int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  'alter table beat_group add constraint beat_group_external_id_key unique (page_id, external_id)',
  'alter table beat_group add constraint beat_group_wall_key unique (page_id, id)',
  'alter table beat_group add foreign key (page_id) references page (id)',
]

const beats = [
  `create table beat (
    id serial primary key,
    page_id int not null,
    beat_group_id int null,
    left_group_id int null,
    name text not null,
    description text not null,
    external_id text null,
    create_hash text null,
    type text not null,
    target jsonb not null,
    interval_seconds int not null,
    timeout_ms int not null,
    regions jsonb not null,
    threshold_policies jsonb not null,
    action_policies jsonb not null,
    message_policies jsonb not null,
    impact text null,
    affected_items_freetext text null,
    enabled boolean not null,
    automation_paused boolean not null,
    automation_pause_reason text null,
    muted_until timestamptz(3) null,
    public_metrics_enabled boolean not null,
    public_metrics_component_id int null,
    public_metrics_label text null,
    public_metrics_max_range text null,
    config_version int not null,
    current_stage text null,
    target_number int not null default 0,
    unknown_since timestamptz(3) null,
    unknown_because text null,
    flapping_since timestamptz(3) null,
    transition_number int not null,
    settled_number int not null,
    acted_stage text null,
    last_evidence_summary text null,
    last_state_changed_at timestamptz(3) null,
    last_transition_from_stage text null,
    last_transition_to_stage text null,
    last_action_created_at timestamptz(3) null,
    current_incident_id int null,
    version int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  'alter table beat add constraint beat_external_id_key unique (page_id, external_id)',
  'alter table beat add constraint beat_wall_key unique (page_id, id)',
  'create index beat_group_idx on beat (page_id, beat_group_id)',
  'create index beat_left_group_idx on beat (page_id, left_group_id)',
  'alter table beat add foreign key (page_id) references page (id)',
  within('beat', 'beat_group_id', 'beat_group'),
  `create table beat_component (
    id serial primary key,
    page_id int not null,
    owner_kind text not null,
    owner_id int not null,
    item_id int not null,
    reference jsonb not null
  )`,
  `alter table beat_component
    add constraint beat_component_key unique (page_id, owner_kind, owner_id, item_id)`,
  'create index beat_component_item_idx on beat_component (page_id, item_id)',
  'alter table beat_component add foreign key (page_id) references page (id)',
]

const told = [
  `create table beat_transition (
    id bigserial primary key,
    page_id int not null,
    owner_kind text not null,
    owner_id int not null,
    number int not null,
    from_stage text null,
    to_stage text not null,
    at timestamptz(3) not null,
    cause text not null,
    cause_key text not null,
    evidence text not null,
    facts jsonb not null,
    actions jsonb not null,
    not_acted_because text null
  )`,
  `alter table beat_transition
    add constraint beat_transition_number_key unique (page_id, owner_kind, owner_id, number)`,
  `alter table beat_transition
    add constraint beat_transition_cause_key unique (page_id, owner_kind, owner_id, cause_key)`,
  'alter table beat_transition add constraint beat_transition_wall_key unique (page_id, id)',
  'alter table beat_transition add foreign key (page_id) references page (id)',
  `create table beat_action (
    id bigserial primary key,
    page_id int not null,
    owner_kind text not null,
    owner_id int not null,
    transition_id bigint not null,
    stage text not null,
    mode text not null,
    state text not null,
    draft jsonb not null,
    incident_id int null,
    update_id int null,
    notification_event text null,
    decision_note text null,
    decided_by text null,
    decided_at timestamptz(3) null,
    reason text null,
    executed_at timestamptz(3) null,
    version int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  'alter table beat_action add constraint beat_action_transition_key unique (page_id, transition_id)',
  'create index beat_action_owner_idx on beat_action (page_id, owner_kind, owner_id, id)',
  'create index beat_action_incident_idx on beat_action (page_id, incident_id)',
  'create index beat_action_state_idx on beat_action (page_id, state, id)',
  within('beat_action', 'transition_id', 'beat_transition'),
  `create table banner (
    id bigserial primary key,
    page_id int not null,
    beat_id int not null,
    beat_group_id int null,
    natural_key text not null,
    stage text not null,
    message text not null,
    created_at timestamptz(3) not null,
    dismissed_at timestamptz(3) null,
    dismissed_by text null
  )`,
  'alter table banner add constraint banner_natural_key unique (page_id, natural_key)',
  'create index banner_owner_idx on banner (page_id, beat_id, id)',
  'create index banner_group_idx on banner (page_id, beat_group_id, id)',
  'create index banner_open_idx on banner (page_id, id) where (dismissed_at is null)',
  'alter table banner add foreign key (page_id) references page (id)',
]

/** Results outlive their beat until they are pruned, and are too many for a foreign key. */
const seen = [
  `create table heartbeat (
    beat_id int primary key,
    page_id int not null,
    token_hash text not null,
    schedule jsonb not null,
    quiet boolean not null,
    due_at timestamptz(3) not null,
    last_call_at timestamptz(3) null,
    last_call text null,
    started_at timestamptz(3) null,
    duration_ms int null,
    failures int not null,
    successes int not null
  ) with (fillfactor = 70)`,
  'alter table heartbeat add constraint heartbeat_token_key unique (token_hash)',
  within('heartbeat', 'beat_id', 'beat'),
  `create table beat_result (
    beat_id int not null,
    due_at timestamptz(3) not null,
    region text not null,
    page_id int not null,
    id bigserial not null,
    slot bigint null,
    at timestamptz(3) not null,
    target_number int not null default 0,
    ok boolean not null,
    latency_ms int null,
    status_code smallint null,
    packet_loss smallint null,
    certificate_days int null,
    evidence text not null,
    primary key (beat_id, due_at, region)
  )`,
  `create table beat_rollup (
    beat_id int not null,
    span_seconds int not null,
    at timestamptz(3) not null,
    region text not null,
    page_id int not null,
    checks int not null,
    failures int not null,
    latencies jsonb not null,
    primary key (beat_id, span_seconds, at, region)
  )`,
]

const shards = [
  `create table beat_change (
    id bigserial primary key,
    page_id int not null,
    beat_id int not null,
    created_at timestamptz(3) not null
  )`,
  `create table beat_assignment (
    beat_id int not null,
    region text not null,
    shard int not null,
    primary key (beat_id, region)
  )`,
  'create index beat_assignment_shard_idx on beat_assignment (region, shard)',
  `create table check_shard (
    region text not null,
    number int not null,
    revision bigint not null,
    holder text null,
    updated_at timestamptz(3) not null,
    primary key (region, number)
  )`,
  `create table check_request (
    id bigserial primary key,
    page_id int not null,
    beat_id int null,
    region text not null,
    asked jsonb not null,
    outcome jsonb null,
    created_at timestamptz(3) not null,
    answered_at timestamptz(3) null
  )`,
]

const ofPages = [
  'beat_group',
  'beat',
  'beat_component',
  'beat_transition',
  'beat_action',
  'banner',
  'heartbeat',
  'beat_result',
  'beat_rollup',
  'beat_change',
  'check_request',
]
const ofTheInstallation = ['beat_assignment', 'check_shard']

export class Beats extends Migration {
  override up(): void {
    build(this, [...groups, ...beats, ...told, ...seen, ...shards])
    build(this, [
      ...ofPages.flatMap((table) => walls(table)),
      ...ofTheInstallation.flatMap((table) => walls(table, null)),
    ])
  }
}
