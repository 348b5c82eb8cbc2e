import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { APP_ROLE, SYSTEM_ROLE } from '../../src/persistence/entities/columns.ts'
import { migrate } from '../../src/persistence/migrate.ts'
import { openOrm } from '../../src/persistence/orm.ts'
import { serviceUrl } from '../../src/persistence/service-user.ts'
import { isFinal, sentenceOf } from '../../src/runtime/error-sentences.ts'
import { freshDatabase } from '../support/database.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let url: string
beforeAll(async () => {
  database = await freshDatabase()
  url = await serviceUrl(database.url)
})
afterAll(() => database.drop())

async function query<T extends pg.QueryResultRow>(connectionString: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
  }
}

describe('the user as which the service logs in', () => {
  test('owns nothing, inherits nothing, and is no superuser', async () => {
    const rights = await query(
      url,
      `select rolsuper, rolcreaterole, rolcreatedb, rolinherit, rolbypassrls,
          (select count(*)::int from pg_class where relowner = r.oid) as owned
        from pg_roles r where rolname = current_user`,
    )
    const none = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolinherit: false, rolbypassrls: false }
    expect(rights).toEqual([{ ...none, owned: 0 }])
    await expect(query(url, 'select * from incident')).rejects.toThrow(/permission denied/)
    await expect(query(url, 'create table mine (id int)')).rejects.toThrow(/permission denied/)
  })

  test.each([APP_ROLE, SYSTEM_ROLE])('becomes %s', async (role) => {
    const orm = await openOrm({ url, role, poolMax: 1 })
    expect(await orm.em.fork().execute('select current_user::text as name')).toEqual([{ name: role }])
    expect(await orm.em.fork().execute('select id from incident')).toEqual([])
    await orm.close(true)
  })

  test('has another password after the next start', async () => {
    const other = await serviceUrl(database.url)
    await expect(query(url, 'select 1')).rejects.toThrow(/password authentication failed/)
    url = other
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a user that does not own the tables', () => {
  test('starts the service on a database that is up to date', async () => {
    expect(await migrate(url)).toEqual([])
  })

  test.each([
    ['lacks a migration', `delete from migration where name = '0014-api-pulses'`, '0014-api-pulses'],
    ['is of a version before that user', `revoke select on migration from ${SYSTEM_ROLE}`, '0001-foundation'],
  ])('is refused in one final sentence when the database %s', async (_, sql, first) => {
    const other = await freshDatabase()
    await query(other.url, sql)
    const own = new URL(url)
    own.pathname = new URL(other.url).pathname
    const error = await migrate(own.href).catch((reason) => reason)
    expect(sentenceOf(error)).toMatch(new RegExp(`^The database lacks the migrations from ${first} on, .*first\\.$`))
    expect(isFinal(error)).toBe(true)
    await other.drop()
  })
})
