import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { databaseUrl, TEMPLATE, testServers } from './servers.ts'

/** A fresh, migrated database, gone when the test file is done. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const { postgresUrl } = testServers()
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(postgresUrl, `create database ${name} template ${TEMPLATE}`)
  return {
    url: databaseUrl(postgresUrl, name),
    drop: () => administer(postgresUrl, `drop database if exists ${name} with (force)`),
  }
}

/** What the connections to a database do, for the message of a test that waits for their end. */
export async function connectionsOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select application_name, state, wait_event, state_change, query from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
    return JSON.stringify(rows)
  } finally {
    await client.end()
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Two test files that copy the template at one moment would be in each other's way.
    await client.query('select pg_advisory_lock(1)')
    await client.query(statement)
  } finally {
    await client.end()
  }
}
