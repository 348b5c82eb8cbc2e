import pg from 'pg'
import type { House } from './house.ts'
import { databaseUrl, testServers } from './servers.ts'

const nameOf = async ({ services }: House): Promise<string> => {
  const [row] = await services.system.em.fork().execute<{ name: string }[]>('select current_database() as name')
  return row!.name
}

/** The address of the database of a test service, for processes of its own. */
export const databaseUrlOf = async (house: House): Promise<string> =>
  databaseUrl(testServers().postgresUrl, await nameOf(house))

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
export async function administer<T extends pg.QueryResultRow>(house: House, sql: string): Promise<T[]> {
  return as(await databaseUrlOf(house), async (client) => (await client.query<T>(sql)).rows)
}

/** Holds what a statement locks while something happens, on a connection of its own. */
export async function holding<T>(house: House, sql: string, meanwhile: () => Promise<T>): Promise<T> {
  return as(await databaseUrlOf(house), async (client) => {
    await client.query('begin')
    await client.query(sql)
    const result = await meanwhile()
    await client.query('commit')
    return result
  })
}

/** Takes the database of a test service away while something happens: no client is connected, and none can connect. */
export async function withoutDatabase<T>(house: House, meanwhile: () => Promise<T>): Promise<T> {
  const name = await nameOf(house)
  return as(testServers().postgresUrl, async (client) => {
    try {
      await client.query(`alter database ${name} allow_connections false`)
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
      return await meanwhile()
    } finally {
      await client.query(`alter database ${name} allow_connections true`)
    }
  })
}
