import { Migration } from '@mikro-orm/migrations'
import { build } from './wall.ts'

/** When an address bounced last: bounces with a long time between them are not in a row. */
export class LastBounces extends Migration {
  override up(): void {
    build(this, ['alter table subscriber add column bounced_at timestamptz(3) null'])
  }
}
