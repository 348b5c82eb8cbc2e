import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { APP_ROLE, SYSTEM_ROLE } from './entities/columns.ts'

const USER = 'upbeat_service'

/**
 * The address at which the API and the worker use a database that `npm start` runs: as a user that owns nothing and may
 * only become one of the two roles. The user gets a new password at each start, so none has to be stored.
 */
export async function serviceUrl(ownerUrl: string): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  const client = new pg.Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    // One of two starts at once would meet the other's change of the same role.
    await client.query(`begin; select pg_advisory_xact_lock(hashtextextended('upbeat service user', 0));
      do $$ begin create role ${USER}; exception when duplicate_object then null; end $$;
      alter role ${USER} login password '${password}'
        nosuperuser nocreatedb nocreaterole noinherit noreplication nobypassrls;
      grant ${APP_ROLE}, ${SYSTEM_ROLE} to ${USER} with inherit false, set true;
      commit`)
  } finally {
    await client.end()
  }
  const url = new URL(ownerUrl)
  url.username = USER
  url.password = password
  return url.href
}
