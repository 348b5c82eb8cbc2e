import { readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { freePorts } from '../../src/local/embedded/ports.ts'
import { type Caller, callerOf } from '../support/caller.ts'
import { until } from '../support/wait.ts'
import { answered, openGround, type Program, ready, start } from './support.ts'

/** One story on one directory: each test goes on from where the one before it left off. */
const ground = openGround()
let program: Program
let url: string
let token: string
let admin: Caller

afterAll(() => ground.clear())

async function startAgain(): Promise<void> {
  program = start(ground.env)
  url = await ready(program)
  admin = callerOf(url, token)
}

async function report(externalId: string, interval?: number): Promise<number> {
  const body = { title: externalId, external_id: externalId, reminder_interval_minutes: interval }
  const { status, body: incident } = await admin.post('/admin/incidents', body)
  expect(status).toBeLessThan(300)
  return incident.id
}

const reminders = async (id: number): Promise<number> =>
  (await admin.get(`/admin/notifications?key=incident.reminder&subject=incident:${id}`)).body.total

async function remindsAgain(id: number): Promise<void> {
  const before = await reminders(id)
  await until(
    () => reminders(id).catch(() => 0),
    (count) => count > before,
  )
}

/** Two ports that follow each other, both free. */
async function freePair(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if ((await freePorts([port, port + 1])).join() === `${port},${port + 1}`) return port
  }
}

test('the first start ends in a ready message, with a token that is shown once', async () => {
  const metricsPort = await freePair()
  program = start({ ...ground.env, METRICS_PORT: String(metricsPort) })
  url = await ready(program)
  for (const [name, port] of Object.entries({ api: metricsPort, worker: metricsPort + 1 })) {
    expect(JSON.parse(readFileSync(join(ground.env.DATA_DIR!, `${name}.json`), 'utf8')).metrics_port).toBe(port)
  }
  token = (await program.said(/Admin token, shown only once: (upb_\S+)\n/))[1]!
  expect(program.out()).toMatch(
    /API {7}http:\S+\/api\/v1\/\n {2}API docs {2}http:\S+\/api\/docs\n {2}Workflows http:\S+\n/,
  )
  expect(program.err()).toBe('')
  admin = callerOf(url, token)
  expect((await admin.get('//')).body).toContain('Example')
  expect((await admin.get('//api/docs')).status).toBe(200)
  expect((await fetch(/Workflows (\S+)/.exec(program.out())![1]!)).status).toBe(200)
  await remindsAgain(await report('first', 1))
})

test('a beat may check the page, and none of the ports that the service keeps for itself', async () => {
  const beat = (path: string) => ({
    ...{ name: path, type: 'http', target: { url: path } },
    threshold_policies: { critical_rule: { consecutive_failures: 2 } },
  })
  const { port, httpPort, uiPort, metricsPort } = ground.process('temporal')
  const { metrics_port } = ground.process('worker')
  for (const own of [port, httpPort, uiPort, metricsPort, ground.process('postgres').port, metrics_port]) {
    const { status, body } = await admin.post('/admin/beats', beat(`http://localhost:${own}/api/v1/namespaces`))
    expect([own, status, body.errors]).toEqual([
      expect.any(Number),
      400,
      [{ path: 'target.url', message: expect.stringContaining("a port of this service's own servers") }],
    ])
  }
  const { status, body } = await admin.post('/admin/beats', beat(`${url}/healthz`))
  expect(status).toBe(201)
  expect((await admin.del(`/admin/beats/${body.id}`)).status).toBe(200)
})

test('a second start on the same directory is refused, and the first start goes on', async () => {
  const second = start(ground.env)
  expect(await second.ended).toBe(1)
  expect(second.err()).toBe(
    `Another Upbeat uses the directory ${ground.dir}: stop the other Upbeat, or set DATA_DIR to another directory.\n`,
  )
  expect(second.out()).toBe('')
  expect((await admin.get('/admin/incidents')).status).toBe(200)
})

test('Ctrl-C finishes what is under way, and leaves nothing behind', async () => {
  const id = await report('slow')
  const blocker = new pg.Client({ connectionString: ground.databaseUrl() })
  blocker.on('error', () => {})
  await blocker.connect()
  await blocker.query('begin; select from incident for update')
  const idle = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  const slow = admin.post(`/admin/incidents/${id}/updates`, { message: 'written while we stop' })
  await until(
    () =>
      blocker.query("select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"),
    ({ rows }) => rows.length > 0,
  )
  const smtp = { email_delivery_mode: 'smtp', email_smtp_host: '127.0.0.1', email_from_address: 'a@example.com' }
  expect((await admin.patch('/admin/settings', smtp)).status).toBe(200)
  program.interrupt()
  // The API accepts no further connection.
  await until(
    () => fetch(url).then(String, () => 'refused'),
    (answer) => answer === 'refused',
  )
  await blocker.query('commit')
  await blocker.end()
  expect((await slow).status).toBe(201)
  expect(await program.ended).toBe(0)
  idle.destroy()
  expect(ground.alive()).toEqual([])
  expect(program.err()).toBe('')
})

test('a warm start shows no token, says that mails are not sent only if so, and has what was written', async () => {
  expect(program.out()).toContain('  Mails     not sent while')
  await startAgain()
  expect(program.out()).not.toContain('token')
  expect(program.out()).not.toContain('Mails')
  const { body } = await admin.get('/admin/incidents?view=full')
  const slow = body.incidents.find((incident: { external_id: string }) => incident.external_id === 'slow')
  expect(slow.updates).toMatchObject([{ message: 'written while we stop' }])
  await remindsAgain(await report('first', 1))
})

test('what is killed under it comes back by itself', async () => {
  const id = await report('first', 1)
  for (const name of ['api', 'worker', 'postgres', 'temporal'] as const) {
    const { pid, port } = ground.process(name)
    process.kill(pid, 'SIGKILL')
    await until(
      () => ground.process(name),
      (one) => one.pid !== pid,
    )
    expect(ground.process(name).port).toBe(port)
    await answered(() => admin.get('/admin/incidents'), 200)
    await remindsAgain(id)
  }
  expect(program.out()).toMatch(/The api process has ended \(SIGKILL\)\. The api process restarts in 1 s\./)
  expect(program.out()).toContain('PostgreSQL has ended. Restarting PostgreSQL.')
})

test('a database that must come back on another port is found there', async () => {
  const { pid, port } = ground.process('postgres')
  process.kill(pid, 'SIGKILL')
  const thief = createServer().on('error', () => setTimeout(() => thief.listen(port, '127.0.0.1'), 5))
  thief.listen(port, '127.0.0.1')
  // The first attempt may have found the port free, and lost it before it listened.
  await until(
    () => ground.process('postgres'),
    (one) => one.pid !== pid && one.port !== port,
  )
  await answered(() => admin.get('/admin/incidents'), 200)
  await remindsAgain(await report('first', 1))
  thief.close()
})

test('kill -9 of the start alone takes its processes along; the next start has the servers that it left', async () => {
  const [api, worker] = [ground.process('api').pid, ground.process('worker').pid]
  const servers = [ground.process('postgres').pid, ground.process('temporal').pid]
  program.kill('SIGKILL')
  await program.ended
  await startAgain()
  expect(ground.alive()).not.toEqual(expect.arrayContaining([api]))
  expect(ground.alive()).not.toEqual(expect.arrayContaining([worker]))
  expect([ground.process('postgres').pid, ground.process('temporal').pid]).toEqual(servers)
  await remindsAgain(await report('first', 1))
})

test('after kill -9 of everything the next start picks up everything, even without the data of Temporal', async () => {
  program.kill('SIGKILL')
  for (const pid of ground.alive()) process.kill(pid, 'SIGKILL')
  await program.ended
  rmSync(join(ground.dir, 'temporal'), { recursive: true })
  await startAgain()
  await remindsAgain(await report('first', 1))
})

test('SIGTERM stops it as well, also while it is starting', async () => {
  program.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(ground.alive()).toEqual([])
  for (const running of [0, 1, 2, 3, 4]) {
    program = start(ground.env)
    await until(
      () => ground.alive().length,
      (count) => count >= running,
    )
    program.kill('SIGTERM')
    // Before it has read its own program it knows no signals yet, and has started nothing.
    expect([0, 'SIGTERM']).toContain(await program.ended)
    expect(ground.alive()).toEqual([])
    expect(program.err()).toBe('')
  }
})
