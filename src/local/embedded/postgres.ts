import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { adopt, lastRecorded, logPath, logSize, logTail, type Recorded, record, startDetached } from './detached.ts'
import { StartError } from './errors.ts'
import { freePorts } from './ports.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { dataDirectory, ensureCluster, makeHome, SUPERUSER } from './postgres-cluster.ts'
import { ask, disownStalePid, ensureDatabase, postmasterOf } from './postgres-server.ts'
import { postgresUser } from './postgres-user.ts'
import { isAlive, stopProcess } from './processes.ts'

export interface Postgres {
  url: string
  pid: number
  port: number
  alive(): boolean
  stop(): Promise<void>
}

interface PostgresOptions {
  /** Holds the data directory `data`, `password`, the pid file and the log. */
  dir: string
  print(message: string): void
  /** Additional settings; an adopted server keeps the settings of its start. */
  settings?: Record<string, string>
  /** Aborts a running start and stops the server. */
  signal?: AbortSignal
}

const NAME = 'postgres'
const DATABASE = 'upbeat'
/** How long a start may take: a slow machine is given a minute. */
const PATIENCE = 60_000
const RECOVERY_PATIENCE = 600_000

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
}

/** Adopts the running PostgreSQL of this directory, or starts it; the first start creates the cluster. */
export async function startPostgres({ dir: given, print, settings = {}, signal }: PostgresOptions): Promise<Postgres> {
  makeHome(resolve(given))
  const dir = realpathSync(given)
  const data = dataDirectory(dir)
  const binaries = postgresBinaries()
  const user = postgresUser(binaries, dir, data)
  const password = await ensureCluster(dir, binaries, user, print)
  const urlOf = (port: number, database: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`

  async function start(): Promise<Recorded> {
    disownStalePid(data)
    const [port] = await freePorts([lastRecorded(dir, NAME).port])
    const options = Object.entries({ ...SETTINGS, ...settings }).flatMap(([key, value]) => ['-c', `${key}=${value}`])
    const args = ['-D', data, '-p', String(port), ...options]
    return startDetached(dir, NAME, user.command(binaries.postgres, args), { port: port! })
  }

  /** Undefined if the server answers, else the reason. */
  async function failure(server: Recorded, logFrom: number): Promise<string | undefined> {
    const began = Date.now()
    for (let round = 1; isAlive(server); round++) {
      const answer = await ask(urlOf(server.port, 'postgres'), data)
      if (answer.state === 'ready') return undefined
      if (signal?.aborted) return answer.reason
      const waited = Date.now() - began
      if (waited > (answer.state === 'starting' ? RECOVERY_PATIENCE : PATIENCE)) return answer.reason
      if (round % 100 === 0) print(`Waiting for PostgreSQL (${answer.reason}): ${Math.round(waited / 1000)} s so far`)
      await sleep(100)
    }
    return logTail(dir, NAME, logFrom) || 'the process ended without output'
  }

  const deadline = Date.now() + PATIENCE
  for (let attempt = 1; ; attempt++) {
    const logFrom = logSize(dir, NAME)
    const running = adopt(dir, NAME) ?? postmasterOf(data)
    const server = running ?? (await start())
    const reason = await failure(server, logFrom)
    if (!reason) {
      if (running) record(dir, NAME, running)
      await ensureDatabase(urlOf(server.port, 'postgres'), DATABASE)
      return handle(server, urlOf(server.port, DATABASE))
    }
    if (signal?.aborted) await stop(server)
    signal?.throwIfAborted()
    if (Date.now() > deadline) {
      if (!running) await stop(server)
      throw new StartError(`PostgreSQL does not run in ${dir}: ${reason}\nThe log is ${logPath(dir, NAME)}.`)
    }
    if (attempt === 1) print(`PostgreSQL does not run yet (${reason}); the start continues for ${PATIENCE / 1000} s`)
    await sleep(500)
  }
}

function handle(server: Recorded, url: string): Postgres {
  const { pid, port } = server
  return { url, pid, port, alive: () => isAlive(server), stop: () => stop(server) }
}

/** A fast shutdown, then an immediate shutdown, which causes a recovery at the next start and loses nothing. */
function stop(server: Recorded): Promise<void> {
  return stopProcess(server, [
    ['SIGINT', 10_000],
    ['SIGQUIT', 10_000],
  ])
}
