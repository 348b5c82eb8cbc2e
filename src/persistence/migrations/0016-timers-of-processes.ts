import { Migration } from '@mikro-orm/migrations'
import { build } from './wall.ts'

/** The step of a process may be taken outside its workflow, which then has no timer, or one for another moment. */
export class TimersOfProcesses extends Migration {
  override up(): void {
    build(this, [
      `alter table process add column timer_at timestamptz(3) null, add column problem text null,
        add column problem_since timestamptz(3) null`,
      `update process set timer_at = until`,
    ])
  }
}
