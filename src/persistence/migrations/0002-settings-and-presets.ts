import { Migration } from '@mikro-orm/migrations'
import { build, walls } from './wall.ts'

const tables = [
  `create table page_settings (
    page_id int not null,
    "values" jsonb not null,
    version int not null,
    updated_at timestamptz(3) not null,
    primary key (page_id)
  )`,
  `create table preset (
    id serial primary key,
    page_id int not null,
    title text not null,
    body text not null,
    category text not null,
    auto_post_on_maintenance_start boolean not null,
    auto_post_on_maintenance_completion boolean not null,
    version int not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  )`,
  'alter table preset add constraint preset_wall_key unique (page_id, id)',
]

const pageScoped = ['page_settings', 'preset']

export class SettingsAndPresets extends Migration {
  override up(): void {
    build(this, [
      ...tables,
      ...pageScoped.map((table) => `alter table ${table} add foreign key (page_id) references page (id)`),
      ...pageScoped.flatMap((table) => walls(table)),
    ])
  }
}
