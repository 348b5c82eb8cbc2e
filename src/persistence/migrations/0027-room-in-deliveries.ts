import { Migration } from '@mikro-orm/migrations'
import { build } from './wall.ts'

/** A claim changes no index of a delivery whose page has room for the new version of the row. */
export class RoomInDeliveries extends Migration {
  override up(): void {
    build(this, ['alter table delivery set (fillfactor = 60)'])
  }
}
