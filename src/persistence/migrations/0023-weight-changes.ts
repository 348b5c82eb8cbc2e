import { Migration } from '@mikro-orm/migrations'
import { build } from './wall.ts'

/** Since when a status type has its weight, for readers of uptime. */
export class WeightChanges extends Migration {
  override up(): void {
    build(this, ['alter table status_type add column weight_changed_at timestamptz(3) null'])
  }
}
