import { Migration } from '@mikro-orm/migrations'
import { build, walls } from './wall.ts'

const table = [
  `create table localized_variant (
    id serial primary key,
    page_id int not null,
    subject_kind text not null,
    subject_id int not null,
    locale text not null,
    state text not null,
    "values" jsonb not null,
    version int not null,
    updated_at timestamptz(3) not null
  )`,
  `alter table localized_variant
    add constraint localized_variant_key unique (page_id, subject_kind, subject_id, locale)`,
  `create index localized_variant_published_idx on localized_variant (page_id, locale) where (state = 'published')`,
  'alter table localized_variant add foreign key (page_id) references page (id)',
]

export class LocalizedVariants extends Migration {
  override up(): void {
    build(this, [...table, ...walls('localized_variant')])
  }
}
