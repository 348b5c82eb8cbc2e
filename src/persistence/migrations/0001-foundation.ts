import { Migration } from '@mikro-orm/migrations'
import { build, grants, roles, walls, within } from './wall.ts'

/** The tables as the entities describe them. */
const tables = [
  `create table api_token (
    id serial primary key,
    page_id int not null,
    name text not null,
    description text null,
    prefix text not null,
    hash text not null,
    permission text not null,
    role_key text not null,
    iac_managed boolean not null,
    version int not null,
    created_at timestamptz(3) not null,
    created_by text not null,
    expires_at timestamptz(3) null,
    last_used_at timestamptz(3) null,
    revoked_at timestamptz(3) null,
    revoke_reason text null
  )`,
  `create index api_token_page_id_idx on api_token (page_id)`,
  `alter table api_token add constraint api_token_prefix_key unique (prefix)`,
  `create table audit_event (
    id bigserial primary key,
    page_id int not null,
    at timestamptz(3) not null,
    operation text not null,
    actor_kind text not null,
    actor_id int null,
    actor_name text not null,
    subject_kind text null,
    subject_id int null,
    request_id text not null,
    "before" jsonb null,
    "after" jsonb null
  )`,
  `create index audit_event_page_idx on audit_event (page_id, id)`,
  `create table hierarchy_item (
    id serial primary key,
    page_id int not null,
    parent_id int null,
    depth int not null,
    name text not null,
    slug text not null,
    abbreviated_name text null,
    description text null,
    external_id text null,
    create_hash text null,
    display_order int not null,
    status text not null,
    metadata jsonb null,
    start_date timestamptz(3) not null,
    version int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index hierarchy_item_parent_idx on hierarchy_item (page_id, parent_id)`,
  `alter table hierarchy_item add constraint hierarchy_item_slug_key unique (page_id, slug)`,
  `alter table hierarchy_item add constraint hierarchy_item_external_id_key unique (page_id, external_id)`,
  `alter table hierarchy_item add constraint hierarchy_item_wall_key unique (page_id, id)`,
  `create table hierarchy_level (
    id serial primary key,
    page_id int not null,
    depth int not null,
    singular text not null,
    plural text not null
  )`,
  `alter table hierarchy_level add constraint hierarchy_level_depth_key unique (page_id, depth)`,
  `create table idempotency_record (
    id bigserial primary key,
    page_id int not null,
    actor text not null,
    "key" text not null,
    request_hash text not null,
    existing boolean not null,
    output jsonb not null,
    created_at timestamptz(3) not null
  )`,
  `create index idempotency_record_created_idx on idempotency_record (created_at)`,
  `alter table idempotency_record add constraint idempotency_record_key unique (page_id, actor, key)`,
  `create table incident (
    id serial primary key,
    page_id int not null,
    title text not null,
    description text not null,
    status text not null,
    initial_status text not null,
    impact text null,
    affected_items_freetext text null,
    lifecycle_stage_id int null,
    chat_channel_id text null,
    external_id text null,
    create_hash text null,
    reminder_interval_minutes int null,
    reminders_from timestamptz(3) not null,
    reminded_until timestamptz(3) null,
    started_at timestamptz(3) not null,
    acknowledged_at timestamptz(3) null,
    resolved_at timestamptz(3) null,
    version int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index incident_list_idx on incident (page_id, started_at, id)`,
  `create index incident_open_idx on incident (page_id, id) where (resolved_at is null)`,
  `alter table incident add constraint incident_external_id_key unique (page_id, external_id)`,
  `alter table incident add constraint incident_wall_key unique (page_id, id)`,
  `create table incident_impact (
    id serial primary key,
    page_id int not null,
    incident_id int not null,
    item_id int not null,
    status text null,
    start_time timestamptz(3) not null,
    end_time timestamptz(3) null
  )`,
  `create index incident_impact_incident_idx on incident_impact (page_id, incident_id)`,
  `create unique index incident_impact_open_key on incident_impact (page_id, item_id, incident_id) where (end_time is null)`,
  `create table incident_update (
    id serial primary key,
    page_id int not null,
    incident_id int not null,
    message text not null,
    status text not null,
    previous_status text not null,
    is_resolution boolean not null,
    lifecycle_stage_id int null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `create index incident_update_incident_idx on incident_update (page_id, incident_id, id)`,
  `create table installation (
    "key" text not null,
    "value" text not null,
    updated_at timestamptz(3) not null,
    primary key (key)
  )`,
  `create table lifecycle_stage (
    id serial primary key,
    page_id int not null,
    kind text not null,
    name text not null,
    description text not null,
    color text not null,
    display_order int not null,
    is_default boolean not null,
    archived boolean not null,
    version int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `alter table lifecycle_stage add constraint lifecycle_stage_name_key unique (page_id, kind, name)`,
  `alter table lifecycle_stage add constraint lifecycle_stage_wall_key unique (page_id, id)`,
  `create table managed_domain (
    id serial primary key,
    page_id int not null,
    hostname text not null,
    active boolean not null,
    created_at timestamptz(3) not null
  )`,
  `alter table managed_domain add constraint managed_domain_hostname_key unique (hostname)`,
  `create table notification_event (
    id bigserial primary key,
    page_id int not null,
    "key" text not null,
    natural_key text not null,
    subject_kind text not null,
    subject_id int not null,
    due_at timestamptz(3) not null,
    created_at timestamptz(3) not null,
    late boolean not null,
    missed int not null,
    "state" text not null,
    data jsonb not null
  )`,
  `create index notification_event_subject_idx on notification_event (page_id, subject_kind, subject_id, id)`,
  `alter table notification_event add constraint notification_event_natural_key unique (page_id, natural_key)`,
  `create table organization (
    id serial primary key,
    name text not null,
    slug text not null,
    created_at timestamptz(3) not null
  )`,
  `alter table organization add constraint organization_slug_key unique (slug)`,
  `create table page (
    id serial primary key,
    organization_id int not null,
    name text not null,
    page_slug text not null,
    public_slug text not null,
    visibility text not null,
    version int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `alter table page add constraint page_slug_key unique (organization_id, page_slug)`,
  `alter table page add constraint page_public_slug_key unique (public_slug)`,
  `create table process (
    workflow_id text not null,
    page_id int not null,
    kind text not null,
    subject_id int not null,
    "state" text not null,
    waiting_for text null,
    "until" timestamptz(3) null,
    started_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    primary key (workflow_id)
  )`,
  `create index process_page_idx on process (page_id, updated_at, workflow_id)`,
  `create index process_until_idx on process (until)`,
  `create table process_note (
    id bigserial primary key,
    page_id int not null,
    workflow_id text not null,
    at timestamptz(3) not null,
    cause text not null,
    message text not null
  )`,
  `create index process_note_workflow_idx on process_note (page_id, workflow_id, id)`,
  `create table process_request (
    id bigserial primary key,
    page_id int not null,
    workflow_id text not null,
    kind text not null,
    input jsonb not null,
    answer jsonb null,
    created_at timestamptz(3) not null,
    answered_at timestamptz(3) null
  )`,
  `create index process_request_open_idx on process_request (page_id, workflow_id) where (answered_at is null)`,
  `create table secret (
    id bigserial primary key,
    page_id int not null,
    name text not null,
    key_id text not null,
    ciphertext text not null,
    updated_at timestamptz(3) not null
  )`,
  `alter table secret add constraint secret_name_key unique (page_id, name)`,
  `create table status_type (
    id serial primary key,
    page_id int not null,
    "key" text not null,
    name text not null,
    description text not null,
    icon text not null,
    color text not null,
    is_operational boolean not null,
    uptime_weight double precision not null,
    archived boolean not null,
    display_order int not null,
    version int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  `alter table status_type add constraint status_type_key_key unique (page_id, key)`,
  `create table wakeup (
    id bigserial primary key,
    page_id int not null,
    workflow_id text not null,
    reason text not null,
    created_at timestamptz(3) not null,
    sent_at timestamptz(3) null,
    attempts int not null,
    next_send_at timestamptz(3) not null
  )`,
  `create index wakeup_workflow_idx on wakeup (workflow_id)`,
  `create index wakeup_send_idx on wakeup (next_send_at)`,
]

const pageScoped = [
  'api_token',
  'audit_event',
  'hierarchy_item',
  'hierarchy_level',
  'idempotency_record',
  'incident',
  'incident_impact',
  'incident_update',
  'lifecycle_stage',
  'managed_domain',
  'notification_event',
  'process',
  'process_note',
  'process_request',
  'secret',
  'status_type',
  'wakeup',
]

/** Which page the transaction is about. Unset, it is no page at all, and the app role sees nothing. */
const currentPage = [
  `create function current_page() returns int language sql stable
    as $$ select nullif(current_setting('app.page_id', true), '')::int $$`,
  `create function current_organization() returns int language sql stable
    as $$ select organization_id from page where id = current_page() $$`,
]

/** References never leave their page: the page is part of the key, because foreign keys do not look at policies. */
const references = [
  'alter table page add foreign key (organization_id) references organization (id)',
  ...[
    'managed_domain',
    'api_token',
    'status_type',
    'lifecycle_stage',
    'hierarchy_level',
    'hierarchy_item',
    'incident',
  ].map((table) => `alter table ${table} add foreign key (page_id) references page (id)`),
  within('hierarchy_item', 'parent_id', 'hierarchy_item'),
  within('incident', 'lifecycle_stage_id', 'lifecycle_stage'),
  within('incident_update', 'incident_id', 'incident'),
  within('incident_update', 'lifecycle_stage_id', 'lifecycle_stage'),
  within('incident_impact', 'incident_id', 'incident'),
  within('incident_impact', 'item_id', 'hierarchy_item'),
]

export class Foundation extends Migration {
  override up(): void {
    build(this, [
      ...roles(),
      ...tables,
      ...references,
      ...currentPage,
      ...pageScoped.flatMap((table) => walls(table)),
      ...walls('page', '(id = current_page())'),
      ...walls('organization', '(id = current_organization())'),
      ...walls('installation', null),
      ...grants(),
    ])
  }
}
