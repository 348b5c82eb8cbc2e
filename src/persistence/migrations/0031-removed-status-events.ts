import { Migration } from '@mikro-orm/migrations'
import { build, walls, within } from './wall.ts'

/** The status events that corrections removed: readers see that the past was corrected. */
export class RemovedStatusEvents extends Migration {
  override up(): void {
    build(this, [
      `create table removed_status_event (
        id serial primary key, page_id int not null, item_id int not null, status text not null,
        event_time timestamptz(3) not null, removed_at timestamptz(3) not null
      )`,
      'create index removed_status_event_item_idx on removed_status_event (page_id, item_id, event_time)',
      ...walls('removed_status_event'),
      `${within('removed_status_event', 'item_id', 'hierarchy_item')} on delete cascade`,
    ])
  }
}
