import pg from 'pg'
import { databaseUrl, testServers } from './servers.ts'
import type { TestService } from './test-service.ts'
import { until } from './wait.ts'

const nameOf = async ({ services }: TestService): Promise<string> => {
  const [row] = await services.system.em.fork().execute<{ name: string }[]>('select current_database() as name')
  return row!.name
}

/** The address of the database of a test service, for processes of its own. */
export const databaseUrlOf = async (service: TestService): Promise<string> =>
  databaseUrl(testServers().postgresUrl, await nameOf(service))

async function as<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Queries the database of a test service as its administrator, who alone sees the other sessions. */
export async function administer<T extends pg.QueryResultRow>(service: TestService, sql: string): Promise<T[]> {
  return as(await databaseUrlOf(service), async (client) => (await client.query<T>(sql)).rows)
}

/** Holds what a statement locks while something happens, on a connection of its own. */
export async function holding<T>(service: TestService, sql: string, meanwhile: () => Promise<T>): Promise<T> {
  return as(await databaseUrlOf(service), async (client) => {
    await client.query('begin')
    await client.query(sql)
    const result = await meanwhile()
    await client.query('commit')
    return result
  })
}

/** Takes the database of a test service away while something happens: no client is connected, and none can connect. */
export async function withoutDatabase<T>(service: TestService, meanwhile: () => Promise<T>): Promise<T> {
  const name = await nameOf(service)
  return as(testServers().postgresUrl, async (client) => {
    try {
      await client.query(`alter database ${name} allow_connections false`)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
      // A session that still ends would fail a statement after the database is back.
      await until(
        async () => (await client.query('select pid from pg_stat_activity where datname = $1', [name])).rowCount,
        (sessions) => sessions === 0,
      )
      return await meanwhile()
    } finally {
      await client.query(`alter database ${name} allow_connections true`)
    }
  })
}
