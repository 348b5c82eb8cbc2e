import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { APP_ROLE, SYSTEM_ROLE } from './entities/columns.ts'

const USER = 'upbeat_service'

/**
 * The URL by which the API and the worker use a database of `npm start`: with a user that owns no table and may only take one
 * of the two roles. Each start sets a new password, so that no password is stored.
 */
export async function serviceUrl(ownerUrl: string): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  const client = new pg.Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    // Serializes concurrent starts, which would change the same role.
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
