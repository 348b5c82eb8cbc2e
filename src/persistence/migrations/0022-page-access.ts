import { Migration } from '@mikro-orm/migrations'
import { build, walls } from './wall.ts'

const viewers = [
  `alter table page add column viewer_auth_mode text not null default 'none',
    add column viewer_password_hash text null, add column viewer_session_key text not null default ''`,
  `alter table page alter column viewer_auth_mode drop default, alter column viewer_session_key drop default`,
]

const links = [
  `create table access_link (
    id serial primary key, page_id int not null references page (id),
    name text not null, prefix text not null, hash text not null,
    created_at timestamptz(3) not null, created_by text not null, expires_at timestamptz(3) not null,
    constraint access_link_prefix_key unique (prefix)
  )`,
  `create index access_link_page_id_idx on access_link (page_id, expires_at)`,
  ...walls('access_link'),
]

const previews = [
  `create table css_preview (
    id serial primary key, page_id int not null references page (id), css text not null,
    expires_at timestamptz(3) not null
  )`,
  `create index css_preview_page_id_idx on css_preview (page_id, expires_at)`,
  ...walls('css_preview'),
]

/** Who may read a page, and the styles that an administrator looks at before storing them. */
export class PageAccess extends Migration {
  override up(): void {
    build(this, [...viewers, ...links, ...previews])
  }
}
