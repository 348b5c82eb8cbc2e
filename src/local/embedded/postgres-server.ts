import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Recorded } from './detached.ts'
import { reasonOf } from './errors.ts'
import { commandLine, processStart } from './processes.ts'

/** The running server of this data directory, from its own pid file, which exists even without ours. */
export function postmasterOf(data: string): Recorded | undefined {
  const [pid, port] = postmasterFile(data)
  const started = pid ? processStart(pid) : undefined
  if (!pid || !port || !started || !runs(pid, data)) return undefined
  return { pid, port, started }
}

/**
 * PostgreSQL refuses to start over the pid file of a killed server if the pid belongs to a zombie or another process. It
 * treats the pid of its own parent as stale, so this function writes that pid. Removing the file would be unsafe: the server
 * uses the shared memory named in the file to detect running processes of its predecessor.
 */
export function disownStalePid(data: string): void {
  const [pid] = postmasterFile(data)
  if (!pid || postmasterOf(data)) return
  const path = join(data, 'postmaster.pid')
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^-?\d+/, String(process.pid)))
}

/** `starting` includes a server that recovers after a crash or shuts down. */
type Answer = { state: 'ready' } | { state: 'starting' | 'silent'; reason: string }

export async function ask(url: string, data: string): Promise<Answer> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // Without a listener, a broken connection would end this process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query("select current_setting('data_directory') as directory")
    if (sameDirectory(rows[0].directory, data)) return { state: 'ready' }
    return { state: 'silent', reason: `the port belongs to a server with the data directory ${rows[0].directory}` }
  } catch (error) {
    const state = (error as { code?: string }).code === '57P03' ? 'starting' : 'silent'
    return { state, reason: reasonOf(error) }
  } finally {
    await client.end().catch(() => {})
  }
}

export async function ensureDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

/** Lines of postmaster.pid: pid, data directory, start, port. */
function postmasterFile(data: string): [pid?: number, port?: number] {
  const path = join(data, 'postmaster.pid')
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return [Math.abs(Number(lines[0])) || undefined, Number(lines[3]) || undefined]
}

/** A PostgreSQL without a directory in its command line may be this server, started by a person. */
function runs(pid: number, data: string): boolean {
  const command = commandLine(pid)
  return /(^|\/)postgres( |:|$)/.test(command) && (command.includes(data) || !/ -D ?\//.test(command))
}

function sameDirectory(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    return one === other
  }
}
