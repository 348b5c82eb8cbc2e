import type { EntityManager } from '@mikro-orm/postgresql'
import { run } from './prepared.ts'

/** The beats and groups of a page whose actions do not reflect the stage that they are in. */
export function heldBackOnPage(tx: EntityManager, pageId: number) {
  return run<{ kind: 'beat' | 'beat_group'; id: number }>(
    tx,
    `select 'beat' as kind, id from beat where page_id = $1 and current_stage is distinct from acted_stage
      union all
      select 'beat_group', id from beat_group where page_id = $1 and current_stage is distinct from acted_stage`,
    [pageId],
  )
}
