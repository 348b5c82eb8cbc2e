import { Migration } from '@mikro-orm/migrations'
import { APP_ROLE, SYSTEM_ROLE } from '../entities/columns.ts'
import { build } from './wall.ts'

/**
 * Each API process stores the span of time in which it could take calls. A process whose user may not migrate can read
 * which migrations have run.
 */
export class ApiPulses extends Migration {
  override up(): void {
    build(this, [
      `create table api_pulse (
        process_id text primary key,
        able_since timestamptz(3) not null,
        seen_at timestamptz(3) not null
      ) with (fillfactor = 50)`,
      'alter table api_pulse enable row level security',
      `create policy readers on api_pulse to ${APP_ROLE} using (true) with check (false)`,
      `create policy system on api_pulse to ${SYSTEM_ROLE} using (true) with check (true)`,
      `revoke insert, update, delete on api_pulse from ${APP_ROLE}`,
      `grant select on migration to ${SYSTEM_ROLE}`,
    ])
  }
}
