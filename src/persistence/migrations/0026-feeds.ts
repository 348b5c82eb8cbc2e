import { Migration } from '@mikro-orm/migrations'
import { build, walls, within } from './wall.ts'

const feeds = [
  `create table feed (
    id serial primary key, page_id int not null references page (id),
    name text not null, format text not null, scope_kind text not null, item_ids jsonb not null,
    include_descendants boolean not null, view_id int null, locale text null,
    lifecycle_stage_ids jsonb not null, kinds jsonb not null, managers jsonb not null,
    enabled boolean not null, built_in boolean not null,
    version int not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    constraint feed_wall_key unique (page_id, id)
  )`,
  `create unique index feed_built_in_key on feed (page_id, format) where (built_in)`,
  ...walls('feed'),
  `${within('feed', 'view_id', 'custom_view')} on delete cascade`,
]

const readers = [
  `create table feed_reader (
    feed_id int not null, reader text not null, page_id int not null references page (id),
    seen_at timestamptz(3) not null, primary key (feed_id, reader)
  )`,
  `create index feed_reader_seen_idx on feed_reader (seen_at)`,
  ...walls('feed_reader'),
  `${within('feed_reader', 'feed_id', 'feed')} on delete cascade`,
]

/** The newest entries of a page, from all its records. */
const newest = ['incident', 'incident_update', 'maintenance', 'maintenance_update'].map(
  (table) => `create index ${table}_created_idx on ${table} (page_id, created_at, id)`,
)

const builtIn = `insert into feed (page_id, name, format, scope_kind, item_ids, include_descendants, lifecycle_stage_ids,
    kinds, managers, enabled, built_in, version, created_at, updated_at)
  select p.id, f.name, f.format, 'page', '[]', true, '[]', f.kinds::jsonb, '[]', true, true, 1, p.created_at, p.created_at
    from page p, (values ('RSS', 'rss', '["incidents", "maintenances"]'), ('Atom', 'atom', '["incidents", "maintenances"]'),
      ('iCalendar', 'ics', '["maintenances"]')) f (name, format, kinds)
    order by p.id`

/** Feeds of a page, and how many programs read them. */
export class Feeds extends Migration {
  override up(): void {
    build(this, [...feeds, ...readers, ...newest, builtIn])
  }
}
