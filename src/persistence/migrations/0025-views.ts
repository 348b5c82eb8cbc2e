import { Migration } from '@mikro-orm/migrations'
import { build, walls, within } from './wall.ts'

const views = [
  `create table custom_view (
    id serial primary key, page_id int not null references page (id),
    short_code text not null, alias text null, name text not null, description text not null,
    items jsonb not null, include_descendants boolean not null, access_mode text not null,
    allowed_domains jsonb not null, allowed_emails jsonb not null, managers jsonb not null,
    enabled boolean not null, expires_at timestamptz(3) null,
    version int not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    constraint custom_view_short_code_key unique (page_id, short_code),
    constraint custom_view_alias_key unique (page_id, alias),
    constraint custom_view_wall_key unique (page_id, id)
  )`,
  ...walls('custom_view'),
]

const blocks = [
  `create table view_alias_block (
    id serial primary key, page_id int not null references page (id), value text not null,
    version int not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    constraint view_alias_block_value_key unique (page_id, value)
  )`,
  ...walls('view_alias_block'),
]

const requests = [
  `create table view_access_request (
    id serial primary key, page_id int not null references page (id), view_id int not null,
    email text not null, locale text null, tries int not null,
    expires_at timestamptz(3) not null, created_at timestamptz(3) not null
  )`,
  `create index view_access_request_email_idx on view_access_request (page_id, view_id, email, id)`,
  ...walls('view_access_request'),
  `${within('view_access_request', 'view_id', 'custom_view')} on delete cascade`,
]

const scopes = [
  'alter table subscription add column view_id int null',
  `${within('subscription', 'view_id', 'custom_view')} on delete cascade`,
  'create index subscription_view_idx on subscription (page_id, view_id) where view_id is not null',
]

/** Parts of a page with readers of their own. */
export class Views extends Migration {
  override up(): void {
    build(this, [...views, ...blocks, ...requests, ...scopes])
  }
}
