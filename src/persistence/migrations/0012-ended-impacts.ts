import { Migration } from '@mikro-orm/migrations'
import { build } from './wall.ts'

/**
 * An ended impact keeps its last status. For an impact without its own status this is the status before the resolution that
 * ended the impact, else the last status of the timeline until its end, else the first status.
 */
const statements = [
  'alter table incident_impact add column ended_status text null',
  `update incident_impact i set ended_status = coalesce(
      i.status,
      (select u.previous_status from incident_update u
        where u.page_id = i.page_id and u.incident_id = i.incident_id and u.is_resolution and i.ended_by_resolution
        order by u.id desc limit 1),
      (select u.status from incident_update u
        where u.page_id = i.page_id and u.incident_id = i.incident_id and u.created_at <= i.end_time
          and u.status <> 'resolved'
        order by u.id desc limit 1),
      (select n.initial_status from incident n where n.page_id = i.page_id and n.id = i.incident_id))
    where i.end_time is not null`,
]

export class EndedImpacts extends Migration {
  override up(): void {
    build(this, statements)
  }
}
