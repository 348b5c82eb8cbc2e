import { Migration } from '@mikro-orm/migrations'
import { build, within } from './wall.ts'

/** The previous stage of an existing update is the stage of the update before, and of the first update the default stage. */
const statements = [
  'alter table incident_update add column previous_lifecycle_stage_id int null',
  `update incident_update u set previous_lifecycle_stage_id = case when b.number = 1
      then (select s.id from lifecycle_stage s where s.page_id = u.page_id and s.kind = 'incident' and s.is_default limit 1)
      else b.stage_id end
    from (select id, row_number() over entry as number, lag(lifecycle_stage_id) over entry as stage_id
      from incident_update window entry as (partition by page_id, incident_id order by id)) b
    where b.id = u.id`,
  within('incident_update', 'previous_lifecycle_stage_id', 'lifecycle_stage'),
]

export class PreviousLifecycleStages extends Migration {
  override up(): void {
    build(this, statements)
  }
}
