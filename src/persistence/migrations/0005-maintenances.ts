import { Migration } from '@mikro-orm/migrations'
import { build, walls, within } from './wall.ts'

const maintenance = [
  `create table maintenance (
    id serial primary key,
    page_id int not null,
    title text not null,
    description text not null,
    status text not null,
    impact text null,
    affected_items_freetext text null,
    lifecycle_stage_id int null,
    chat_channel_id text null,
    external_id text null,
    create_hash text null,
    scheduled_start_time timestamptz(3) null,
    scheduled_end_time timestamptz(3) null,
    auto_transition_enabled boolean not null,
    auto_transition_start_message text null,
    auto_transition_complete_message text null,
    started_at timestamptz(3) null,
    ended_at timestamptz(3) null,
    reminders_from timestamptz(3) not null,
    listed_at timestamptz(3) not null,
    version int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  'alter table maintenance add constraint maintenance_external_id_key unique (page_id, external_id)',
  'alter table maintenance add constraint maintenance_wall_key unique (page_id, id)',
  'create index maintenance_list_idx on maintenance (page_id, listed_at, id)',
  'create index maintenance_open_idx on maintenance (page_id, status, id) where (ended_at is null)',
  'alter table maintenance add foreign key (page_id) references page (id)',
  within('maintenance', 'lifecycle_stage_id', 'lifecycle_stage'),
]

const items = [
  `create table maintenance_item (
    id serial primary key,
    page_id int not null,
    maintenance_id int not null,
    item_id int not null
  )`,
  'alter table maintenance_item add constraint maintenance_item_key unique (page_id, maintenance_id, item_id)',
  'create index maintenance_item_item_idx on maintenance_item (page_id, item_id)',
  within('maintenance_item', 'maintenance_id', 'maintenance'),
  within('maintenance_item', 'item_id', 'hierarchy_item'),
]

const updates = [
  `create table maintenance_update (
    id serial primary key,
    page_id int not null,
    maintenance_id int not null,
    message text not null,
    status text not null,
    previous_status text not null,
    lifecycle_stage_id int null,
    due_at timestamptz(3) null,
    late boolean not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  'create index maintenance_update_maintenance_idx on maintenance_update (page_id, maintenance_id, id)',
  within('maintenance_update', 'maintenance_id', 'maintenance'),
  within('maintenance_update', 'lifecycle_stage_id', 'lifecycle_stage'),
]

const tables = ['maintenance', 'maintenance_item', 'maintenance_update']

export class Maintenances extends Migration {
  override up(): void {
    build(this, [...maintenance, ...items, ...updates, ...tables.flatMap((table) => walls(table))])
  }
}
