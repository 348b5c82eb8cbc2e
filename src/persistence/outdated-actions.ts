import type { EntityManager } from '@mikro-orm/postgresql'
import { run, sql } from './sql.ts'

/** The beats and groups of a page whose actions do not reflect their stage, and groups with a member that counts with an earlier stage. */
export function ownersWithOutdatedActions(tx: EntityManager, pageId: number) {
  return run<{ kind: 'beat' | 'beat_group'; id: number }>(
    tx,
    sql`select 'beat' as kind, id from beat where page_id = ${pageId} and current_stage is distinct from acted_stage
      union all
      select 'beat_group', g.id from beat_group g where page_id = ${pageId}
        and (current_stage is distinct from acted_stage
          or exists (select 1 from beat b where b.page_id = ${pageId} and b.beat_group_id = g.id
            and b.enabled and b.current_stage is distinct from b.counted_stage))`,
  )
}
