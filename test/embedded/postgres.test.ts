import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { logSize, logTail } from '../../src/local/embedded/detached.ts'
import { type Postgres, startPostgres } from '../../src/local/embedded/postgres.ts'
import { until } from '../support/wait.ts'
import { kill, temporaryDirectory } from './support.ts'

const parent = temporaryDirectory()
const dir = join(parent, 'postgres')
const data = join(dir, 'data')
const pids = new Set<number>()
const others: ChildProcess[] = []
let server: Postgres

beforeAll(async () => {
  mkdirSync(join(dir, 'initdb-interrupted', 'data'), { recursive: true })
  server = await start()
})

afterAll(async () => {
  await server?.stop()
  for (const pid of pids) kill(pid)
  for (const other of others) other.kill('SIGKILL')
  rmSync(parent, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

describe('PostgreSQL of our own', () => {
  test('is created as we want it, also after an interrupted attempt', async () => {
    const [row] = await query(`select current_database() as name, current_setting('server_encoding') as encoding,
      current_setting('TimeZone') as zone, current_setting('log_timezone') as log_zone,
      current_setting('listen_addresses') as host, current_setting('unix_socket_directories') as sockets,
      current_setting('data_checksums') as checksums, current_setting('password_encryption') as passwords,
      lower('ÀÉ') as lower`)
    expect(row).toEqual({
      ...{ name: 'upbeat', encoding: 'UTF8', zone: 'UTC', log_zone: 'UTC', host: '127.0.0.1', sockets: '' },
      ...{ checksums: 'on', passwords: 'scram-sha-256', lower: 'àé' },
    })
    expect(statSync(join(dir, 'password')).mode & 0o777).toBe(0o600)
    expect(statSync(data).mode & 0o777).toBe(0o700)
    expect(() => statSync(join(dir, 'initdb-interrupted'))).toThrow('ENOENT')
  })

  test('the server refuses clients without the password', async () => {
    const client = new pg.Client({ connectionString: server.url.replace(/:[^:@]+@/, ':guess@') })
    await expect(client.connect()).rejects.toThrow('password authentication failed')
  })

  test('is adopted when it runs', async () => {
    expect(await start()).toMatchObject({ pid: server.pid, port: server.port, url: server.url })
  })

  test('is adopted even if we died before writing its pid down', async () => {
    rmSync(join(dir, 'postgres.json'))
    expect((await start()).pid).toBe(server.pid)
    expect(JSON.parse(readFileSync(join(dir, 'postgres.json'), 'utf8'))).toMatchObject({ pid: server.pid })
  })

  test('starts again after kill -9, with what was committed, on the same port', async () => {
    await query('create table kept (id int)')
    await query('insert into kept values (1)')
    const { pid, port } = server
    kill(pid)
    server = await start()
    expect(server.pid).not.toBe(pid)
    expect(server.port).toBe(port)
    expect(await query('select id from kept')).toEqual([{ id: 1 }])
  })

  test('waits for the processes that a killed server left', async () => {
    const client = new pg.Client({ connectionString: server.url })
    client.on('error', () => {})
    await client.connect()
    const backend = (await client.query('select pg_backend_pid() as pid')).rows[0].pid
    process.kill(backend, 'SIGSTOP')
    kill(server.pid)
    const written = logSize(dir, 'postgres')
    const starting = start()
    await until(
      () => logTail(dir, 'postgres', written),
      (log) => log.includes('still in use'),
    )
    process.kill(backend, 'SIGCONT')
    server = await starting
    await client.end().catch(() => {})
  })

  test('is not held up by a pid file whose pid another process has', async () => {
    kill(server.pid)
    const { uid, gid } = statSync(data)
    const stranger = spawn('sleep', ['60'], { uid, gid, cwd: '/' })
    others.push(stranger)
    const pidFile = join(data, 'postmaster.pid')
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(stranger.pid)))
    server = await start()
    expect(server.alive()).toBe(true)
    expect(stranger.exitCode).toBeNull()
  })

  test('takes another port when its own is taken', async () => {
    await server.stop()
    expect(server.alive()).toBe(false)
    const thief = createServer()
    await new Promise<void>((done) => thief.listen(server.port, '127.0.0.1', done))
    const before = server.port
    server = await start()
    thief.close()
    expect(server.port).not.toBe(before)
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
  })

  test('takes settings', async () => {
    await server.stop()
    server = await start(undefined, { work_mem: '8MB' })
    expect(await query('show work_mem')).toEqual([{ work_mem: '8MB' }])
  })

  const asRoot = process.getuid?.() === 0 ? test : test.skip
  asRoot("runs below a directory that is root's alone (skipped unless root runs the tests)", async () => {
    expect(statSync(parent).mode & 0o777).toBe(0o700)
    expect(statSync(parent).uid).toBe(0)
    expect(statSync(`/proc/${server.pid}`).uid).not.toBe(0)
    await query('create extension pgcrypto')
    expect(await query("select length(gen_salt('bf')) as length")).toEqual([{ length: 29 }])
  })
})

async function start(print = (_message: string) => {}, settings?: Record<string, string>): Promise<Postgres> {
  const started = await startPostgres({ dir, print, settings })
  pids.add(started.pid)
  return started
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
