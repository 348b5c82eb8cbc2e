import { Migration } from '@mikro-orm/migrations'
import { build, walls } from './wall.ts'

const formerSlugs = [
  `create table former_page_slug (
    page_id int not null references page (id),
    slug text not null,
    retired_at timestamptz(3) not null,
    primary key (page_id, slug)
  )`,
  ...walls('former_page_slug'),
]

const example = [
  `create table example_record (
    page_id int not null references page (id),
    kind text not null,
    record_id int not null,
    as_made jsonb not null,
    primary key (page_id, kind, record_id)
  )`,
  ...walls('example_record'),
]

/**
 * The text that searches compare: in lower case and without accents. Written in SQL because not every PostgreSQL has the
 * extension `unaccent`. NFD splits a letter from its marks and changes no other character that a search could contain.
 */
const searchText = [
  `create function search_text(text) returns text language sql immutable strict parallel safe
    return lower(regexp_replace(normalize($1, NFD), '[\u0300-\u036f]', '', 'g'))`,
]

export class FormerSlugsSearchExample extends Migration {
  override up(): void {
    build(this, [...formerSlugs, ...example, ...searchText])
  }
}
