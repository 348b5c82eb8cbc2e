import { once } from 'node:events'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

/**
 * A backup is text in lines: a head, then for each table a line with its name and columns, its rows in the format of `COPY`,
 * and the end of rows. The last line contains the sequences and shows that the backup is complete.
 */
export const FORMAT = 1
export const END_OF_ROWS = '\\.'

export interface Head {
  upbeat_backup: number
  /** The moment of the backup; all rows have their state of this moment. */
  made_at: string
  migrations: string[]
}

export interface TableLine {
  table: string
  columns: string[]
}

export interface EndLine {
  rows: number
  sequences: Record<string, string>
}

/** Tables of the running service or of the schema, which a start fills again. */
const LEFT_OUT = ['migration', 'api_pulse', 'shared_read']

/** Copies the state of the database at one moment, while other connections write; returns the number of rows. */
export async function writeBackup(url: string, out: Writable): Promise<number> {
  const client = new pg.Client({ connectionString: url, application_name: 'upbeat-backup' })
  client.on('error', () => {})
  await client.connect()
  try {
    // A user whose row-level security hides rows gets an error instead of an incomplete backup.
    await client.query('set row_security = off; begin isolation level repeatable read read only')
    await writeLine(out, await headOf(client))
    let rows = 0
    for (const line of await tablesOf(client)) rows += await writeTable(client, out, line)
    await writeLine(out, { rows, sequences: await sequencesOf(client) } satisfies EndLine)
    return rows
  } finally {
    await client.end()
  }
}

async function headOf(client: pg.Client): Promise<Head> {
  const { rows } = await client.query<{ made_at: Date; migrations: string[] }>(
    'select now() as made_at, array(select name::text from migration order by name) as migrations',
  )
  const { made_at, migrations } = rows[0]!
  return { upbeat_backup: FORMAT, made_at: made_at.toISOString(), migrations }
}

async function tablesOf(client: pg.Client): Promise<TableLine[]> {
  const { rows } = await client.query<TableLine>(
    `select c.relname::text as table, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relname = any($1)
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      group by c.relname order by c.relname`,
    [LEFT_OUT],
  )
  return rows
}

/** A table with its columns in SQL. */
export const columnsOf = ({ table, columns }: TableLine): string =>
  `${pg.escapeIdentifier(table)} (${columns.map(pg.escapeIdentifier).join(', ')})`

async function writeTable(client: pg.Client, out: Writable, line: TableLine): Promise<number> {
  await writeLine(out, line)
  const copy = client.query(copyTo(`copy ${columnsOf(line)} to stdout`))
  for await (const chunk of copy) if (!out.write(chunk)) await once(out, 'drain')
  out.write(`${END_OF_ROWS}\n`)
  return copy.rowCount
}

/** Sequences only grow, so their present values are at least as large as the values in the copied rows. */
async function sequencesOf(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename::text as name, last_value::text as value from pg_sequences
      where schemaname = 'public' and last_value is not null and sequencename not like 'migration%'`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

async function writeLine(out: Writable, line: Head | TableLine | EndLine): Promise<void> {
  if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain')
}
