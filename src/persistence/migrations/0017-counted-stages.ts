import { Migration } from '@mikro-orm/migrations'
import { build } from './wall.ts'

/** An incident stays with the group or the beat that opened it. The next step of each group writes the counted stages. */
export class CountedStages extends Migration {
  override up(): void {
    build(this, [
      `alter table beat drop column left_group_id, add column counted_stage text null`,
      `alter table beat_group drop column told`,
    ])
  }
}
