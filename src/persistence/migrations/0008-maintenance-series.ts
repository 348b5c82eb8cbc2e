import { Migration } from '@mikro-orm/migrations'
import { build, walls, within } from './wall.ts'

const series = [
  `create table maintenance_series (
    id serial primary key,
    page_id int not null,
    title text not null,
    description text not null,
    impact text null,
    affected_items_freetext text null,
    lifecycle_stage_id int null,
    chat_channel_id text null,
    external_id text null,
    create_hash text null,
    auto_transition_enabled boolean not null,
    auto_transition_start_message text null,
    auto_transition_complete_message text null,
    status text not null,
    recurrence_type text not null,
    recurrence_rule text null,
    interval_weeks int null,
    weekday int null,
    ordinal_week int null,
    timezone text not null,
    start_time text not null,
    start_date text not null,
    ends_on text null,
    recurrence_end_time timestamptz(3) null,
    offset_ms int not null,
    duration_minutes int not null,
    generate_months int not null,
    max_occurrences int null,
    settled_until timestamptz(3) not null,
    next_index int not null,
    taken int not null,
    version int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  'alter table maintenance_series add constraint maintenance_series_external_id_key unique (page_id, external_id)',
  'alter table maintenance_series add constraint maintenance_series_wall_key unique (page_id, id)',
  'alter table maintenance_series add foreign key (page_id) references page (id)',
  within('maintenance_series', 'lifecycle_stage_id', 'lifecycle_stage'),
]

const items = [
  `create table maintenance_series_item (
    id serial primary key,
    page_id int not null,
    series_id int not null,
    item_id int not null
  )`,
  'alter table maintenance_series_item add constraint maintenance_series_item_key unique (page_id, series_id, item_id)',
  'create index maintenance_series_item_item_idx on maintenance_series_item (page_id, item_id)',
  within('maintenance_series_item', 'series_id', 'maintenance_series'),
  within('maintenance_series_item', 'item_id', 'hierarchy_item'),
]

const occurrences = [
  'alter table maintenance add column series_id int null',
  'create index maintenance_series_idx on maintenance (page_id, series_id, id)',
  within('maintenance', 'series_id', 'maintenance_series'),
  `create table maintenance_occurrence (
    id serial primary key,
    page_id int not null,
    series_id int not null,
    number int not null,
    original_start_time timestamptz(3) not null,
    maintenance_id int null,
    edited boolean not null,
    skipped boolean not null,
    dropped boolean not null,
    skip_reason text null
  )`,
  `alter table maintenance_occurrence
    add constraint maintenance_occurrence_number_key unique (page_id, series_id, number)`,
  `alter table maintenance_occurrence
    add constraint maintenance_occurrence_maintenance_key unique (page_id, maintenance_id)`,
  within('maintenance_occurrence', 'series_id', 'maintenance_series'),
  within('maintenance_occurrence', 'maintenance_id', 'maintenance'),
]

const tables = ['maintenance_series', 'maintenance_series_item', 'maintenance_occurrence']

export class MaintenanceSeries extends Migration {
  override up(): void {
    build(this, [...series, ...items, ...occurrences, ...tables.flatMap((table) => walls(table))])
  }
}
