import { once } from 'node:events'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { columnsOf, END_OF_ROWS, type EndLine, FORMAT, type Head, type TableLine } from './backup.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'

/** A file that cannot be restored, with the reason in one sentence. */
export class NotRestorable extends Error {
  override name = 'NotRestorable'
}

/** Reads the first line of a backup; throws if this version of Upbeat cannot restore the backup. */
export function headIn(line: string | undefined): Head {
  const head = parsed<Head>(line)
  if (head?.upbeat_backup === undefined) throw new NotRestorable('The file is not a copy that `backup` has written.')
  const unknown = head.migrations?.find((name) => !migrations.some((known) => known.name === name))
  if (head.upbeat_backup > FORMAT || unknown !== undefined) {
    throw new NotRestorable(
      `A newer version of Upbeat${unknown ? `, which has the migration ${unknown},` : ''} wrote the copy: ` +
        'restore the copy with that version.',
    )
  }
  return head
}

interface Copy {
  head: Head
  /** The lines after the head. */
  lines: AsyncIterable<string>
}

const RESTORING = 'upbeat_restoring'
const REPLACED = 'upbeat_replaced'

/**
 * Restores the backup into a new database, then renames the new database to the name in `url` and drops the old database.
 * Until the databases are renamed, in one transaction, the old database stays unchanged.
 */
export async function restoreBackup(url: string, { head, lines }: Copy): Promise<number> {
  const name = new URL(url).pathname.slice(1)
  const at = (database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href
  return connected(at('postgres'), async (server) => {
    for (const left of [RESTORING, REPLACED]) await server.query(`drop database if exists ${left} with (force)`)
    await server.query(`create database ${RESTORING}`)
    await migrate(at(RESTORING), head.migrations)
    const rows = await connected(at(RESTORING), (client) => fill(client, lines))
    await migrate(at(RESTORING))
    await server.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = any($1)', [
      [name, RESTORING],
    ])
    await server.query(`begin; alter database ${name} rename to ${REPLACED};
      alter database ${RESTORING} rename to ${name}; commit`)
    await server.query(`drop database ${REPLACED} with (force)`)
    return rows
  })
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'upbeat-restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function fill(client: pg.Client, lines: AsyncIterable<string>): Promise<number> {
  // The rows are consistent, so neither their order nor the triggers of their tables matter.
  await client.query('begin; set local session_replication_role = replica')
  await emptyTables(client)
  const iterator = lines[Symbol.asyncIterator]()
  let rows = 0
  for (;;) {
    const { value } = await iterator.next()
    const line = parsed<TableLine & EndLine>(value)
    if (line?.sequences) {
      if (line.rows !== rows) throw damaged()
      await setSequences(client, line.sequences)
      break
    }
    if (!line?.table) throw damaged()
    rows += await fillTable(client, line, iterator)
  }
  // Without the id of the Temporal database, the next sweep wakes every open process.
  await client.query(`delete from installation where key = 'temporal.namespace_id'; commit`)
  return rows
}

const damaged = () => new NotRestorable('The copy is damaged or incomplete; nothing was changed.')

/** Empties the tables that migrations have filled. */
async function emptyTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(quote_ident(tablename), ', ') as names from pg_tables
      where schemaname = 'public' and tablename <> 'migration'`,
  )
  await client.query(`truncate ${rows[0]!.names}`)
}

async function fillTable(client: pg.Client, line: TableLine, lines: AsyncIterator<string>): Promise<number> {
  const copy = client.query(copyFrom(`copy ${columnsOf(line)} from stdin`))
  const finished = once(copy, 'finish')
  // The promise is awaited below; an earlier rejection must not end the process.
  finished.catch(() => {})
  for (;;) {
    const { value, done } = await lines.next()
    if (done) {
      copy.destroy()
      throw damaged()
    }
    if (value === END_OF_ROWS) break
    if (!copy.write(`${value}\n`)) await Promise.race([once(copy, 'drain'), finished])
  }
  copy.end()
  await finished
  return copy.rowCount
}

async function setSequences(client: pg.Client, sequences: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(sequences)) {
    await client.query('select setval(quote_ident($1)::regclass, $2::bigint)', [name, value])
  }
}

function parsed<T>(line: string | undefined): T | undefined {
  try {
    return line === undefined ? undefined : JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The ids of the encryption keys of the secrets in a database. */
export const keysInUse = (url: string): Promise<string[]> =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ key_id: string }>('select distinct key_id from secret order by key_id')
    return rows.map(({ key_id }) => key_id)
  })
