import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Caller, callerOf } from '../support/caller.ts'
import { until } from '../support/wait.ts'
import { openGround, type Program, ready, run, start } from './support.ts'

/** One story on one directory: each test goes on from where the one before it left off. */
const ground = openGround()
const elsewhere = openGround()
const dir = mkdtempSync(join(tmpdir(), 'upbeat-backup-'))
const file = join(dir, 'copy.gz')
let program: Program
let admin: Caller
let token: string

async function startAgain(): Promise<void> {
  program = start(ground.env)
  const url = await ready(program)
  token ??= (await program.said(/Admin token, shown only once: (upb_\S+)\n/))[1]!
  admin = callerOf(url, token)
}

beforeAll(startAgain)
afterAll(async () => {
  await ground.clear()
  await elsewhere.clear()
  rmSync(dir, { recursive: true, force: true })
})

async function command(args: string[], env: Record<string, string> = ground.env) {
  const ran = run('src/admin.ts', args, { ...env, INIT_CWD: dir })
  return { code: await ran.ended, out: ran.out(), err: ran.err() }
}

async function report(external_id: string): Promise<number> {
  const body = { title: external_id, external_id, reminder_interval_minutes: 1 }
  const { status, body: incident } = await admin.post('/admin/incidents', body)
  expect(status).toBe(201)
  return incident.id
}

interface Event {
  id: number
  key: string
  due_at: string
}

const eventsOf = async (id: number, key: string): Promise<Event[]> =>
  (await admin.get(`/admin/notifications?subject=incident:${id}&key=${key}&limit=100`)).body.notifications

const reminded = (id: number, more: number) =>
  until(
    () => eventsOf(id, 'incident.reminder').catch(() => []),
    (events) => events.length >= more,
  )

const stored: Record<string, number> = {}

test('a copy is written while the service runs, for its owner alone and without keys', async () => {
  stored.before = await report('before')
  // The address of a heartbeat is a secret.
  await admin.post('/admin/beats', { name: 'Backup', type: 'heartbeat', target: { period_seconds: 86_400 } })
  await reminded(stored.before, 2)
  const { code, out } = await command(['backup', 'copy.gz'])
  expect(code).toBe(0)
  expect(out).toMatch(/^Copied \d+ rows to \S+copy\.gz\. .*: keep \S+\/encryption-keys in another place\.\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const copied = gunzipSync(readFileSync(file)).toString()
  expect(copied).not.toContain(readFileSync(join(ground.dir, 'encryption-keys'), 'utf8').trim())
  stored.after = await report('after')
})

test('a file that exists, a service that runs and a database elsewhere are refused in one sentence', async () => {
  const other = { ...ground.env, DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' }
  const refusals: [string[], Record<string, string>, RegExp][] = [
    [['backup', file], ground.env, /^The file \S+ already exists: name another file\.\n$/],
    [['backup', 'new.gz'], other, /^DATABASE_URL names your own PostgreSQL: use pg_dump as .*\n$/],
    [['restore', file], other, /^DATABASE_URL names your own PostgreSQL: use pg_restore as .*\n$/],
    [['restore', file], ground.env, /^Another Upbeat uses the directory .*\n$/],
    [['restore', 'missing.gz'], ground.env, /^The file \S+missing\.gz cannot be used: ENOENT.*\n$/],
    [['restore'], ground.env, /^FILE is missing\.\n\nUsage/],
  ]
  for (const [args, env, reason] of refusals) {
    const { code, err } = await command(args, env)
    expect([args, code, err]).toEqual([args, 1, expect.stringMatching(reason)])
  }
})

function killAll(): Promise<unknown> {
  program.kill('SIGKILL')
  for (const pid of ground.alive()) process.kill(pid, 'SIGKILL')
  return program.ended
}

/** Another file with the same lines, but for what `change` does to them. */
function changed(name: string, change: (lines: string[]) => string[]): string {
  const path = join(dir, name)
  const lines = gunzipSync(readFileSync(file)).toString().split('\n')
  writeFileSync(path, gzipSync(change(lines).join('\n')))
  return path
}

test('a damaged copy, one that was cut off and one of a newer version change nothing', async () => {
  await killAll()
  const cut = join(dir, 'cut.gz')
  writeFileSync(cut, readFileSync(file).subarray(0, -200))
  const plain = join(dir, 'plain.gz')
  writeFileSync(plain, 'not a copy')
  const newer = changed('newer.gz', ([head, ...lines]) => {
    const { migrations, ...rest } = JSON.parse(head!)
    return [JSON.stringify({ ...rest, migrations: [...migrations, '9999-later'] }), ...lines]
  })
  const lost = changed('lost.gz', (lines) => lines.toSpliced(lines.indexOf('\\.') - 1, 1))
  for (const [path, reason] of [
    [cut, /damaged or incomplete; nothing was changed/],
    [plain, /damaged or incomplete; nothing was changed/],
    [newer, /^A newer version of Upbeat, which has the migration 9999-later, wrote the copy: /],
    [lost, /damaged or incomplete; nothing was changed/],
  ] as const) {
    const { code, err } = await command(['restore', path])
    expect([path, code, err]).toEqual([path, 1, expect.stringMatching(reason)])
  }
  await startAgain()
  expect((await admin.get(`/admin/incidents/${stored.after}`)).status).toBe(200)
})

test('after a kill and a restore everything goes on from the copy, and nothing that it knows is written twice', async () => {
  const before = await eventsOf(stored.before!, 'incident.reminder')
  await killAll()
  const { code, out } = await command(['restore', file])
  expect([code, out]).toEqual([0, expect.stringMatching(/^Restored \d+ rows as of \S+\. .*\n$/)])
  expect(ground.alive()).toEqual([])
  await startAgain()
  expect(program.out()).not.toContain('token')
  expect((await admin.get(`/admin/incidents/${stored.after}`)).status).toBe(404)
  expect(await eventsOf(stored.before!, 'incident.created')).toHaveLength(1)
  const events = await reminded(stored.before!, 4)
  expect(new Set(events.map(({ due_at }) => due_at)).size).toBe(events.length)
  // The first reminders are those of the copy.
  const first = (list: Event[]) => list.toSorted((a, b) => a.id - b.id).slice(0, 2)
  expect(first(events)).toEqual(first(before))
  expect(await report('new')).toBeGreaterThan(stored.before!)
})

test('a restore on another machine names the missing encryption key', async () => {
  const { code, out } = await command(['restore', file], elsewhere.env)
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/\nThe secrets of the copy need the encryption key \w{8}: add the key to /),
  ])
  program.interrupt()
  expect(await program.ended).toBe(0)
})
