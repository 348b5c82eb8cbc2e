import { Migration } from '@mikro-orm/migrations'
import { build, walls } from './wall.ts'

const table = `create unlogged table shared_read (
  page_id int not null references page (id), key text not null,
  making_by text not null, making_until timestamptz(3) not null, made_at timestamptz(3) null,
  revision text null, headers jsonb null, content text null, body bytea null,
  primary key (page_id, key)
)`

/** Answers to the public that one API process has made for all. */
export class SharedReads extends Migration {
  override up(): void {
    // The bodies are compressed already.
    build(this, [table, 'alter table shared_read alter column body set storage external', ...walls('shared_read')])
  }
}
