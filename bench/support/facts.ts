import { statfs } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, platform, release, tmpdir, totalmem } from 'node:os'

export type Fact = [name: string, value: string]

const TMPFS = 0x01021994

/** What a figure depends on besides the code. */
export async function machineFacts(): Promise<Fact[]> {
  const { type } = await statfs(tmpdir())
  return [
    ['cores', `${availableParallelism()} (${cpus()[0]?.model.trim() ?? 'unknown'})`],
    ['memory', `${Math.round(totalmem() / 2 ** 30)} GiB`],
    ['Node', process.version],
    ['system', `${platform()} ${release()}`],
    ['data on', type === TMPFS ? 'tmpfs, so nothing here is durable' : 'a disk'],
    ['load before', startLoad.toFixed(1)],
  ]
}

/** Taken before we make a load ourselves. */
const [startLoad = 0] = loadavg()

export async function databaseFacts(database: { query(sql: string): Promise<{ rows: unknown[] }> }): Promise<Fact[]> {
  const { rows } = await database.query(
    `select name, setting from pg_settings where name in ('server_version', 'fsync', 'synchronous_commit')`,
  )
  const names: Record<string, string> = { server_version: 'PostgreSQL' }
  return (rows as { name: string; setting: string }[]).map(({ name, setting }) => [names[name] ?? name, setting])
}

/** The pid of the server behind this connection. */
export async function postmasterOf(database: { query(sql: string): Promise<{ rows: unknown[] }> }): Promise<number> {
  const { rows } = await database.query(`select pg_read_file('postmaster.pid') as text`)
  return Number((rows as { text: string }[])[0]!.text.split('\n')[0])
}
