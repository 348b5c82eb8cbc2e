import { Migration } from '@mikro-orm/migrations'
import { build } from './wall.ts'

const impacts = [
  'alter table incident_impact add column ended_by_resolution boolean not null default false',
  `update incident_impact i set ended_by_resolution = true from incident n
    where n.page_id = i.page_id and n.id = i.incident_id and n.resolved_at = i.end_time`,
  'alter table incident_impact alter column ended_by_resolution drop default',
]

/** Without an event of the override, the last change of the item is the latest possible start of the override. */
const overrides = [
  'alter table hierarchy_item add column override_since timestamptz(3) null',
  `update hierarchy_item i set override_since = coalesce(
      (select max(e.event_time) from status_event e
        where e.page_id = i.page_id and e.item_id = i.id and e.cause_kind = 'override' and e.cause_id = i.id),
      i.updated_at)
    where override_status is not null`,
]

const levels = [
  'alter table hierarchy_level add column version int not null default 1',
  'alter table hierarchy_level alter column version drop default',
]

export class ToldPast extends Migration {
  override up(): void {
    build(this, [...impacts, ...overrides, ...levels])
  }
}
