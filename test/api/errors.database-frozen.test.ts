import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Postgres, startPostgres } from '../../src/local/embedded/postgres.ts'
import { migrate } from '../../src/persistence/migrate.ts'
import { temporaryDirectory } from '../embedded/support.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/** A PostgreSQL of this file's own, because it is frozen with everything in it. */
const dir = temporaryDirectory()
let postgres: Postgres
let service: TestService
beforeAll(async () => {
  postgres = await startPostgres({ dir, print: () => {} })
  await migrate(postgres.url)
  const database = { url: postgres.url, drop: async () => {} }
  service = await openTestService({ database, statementMs: { app: 1000, system: 1000 } })
})
afterAll(async () => {
  await service?.close()
  await postgres?.stop()
  rmSync(dir, { recursive: true, force: true })
})

function signal(name: 'STOP' | 'CONT'): void {
  const children = execFileSync('pgrep', ['-P', String(postgres.pid)], { encoding: 'utf8' })
  const pids = [postgres.pid, ...children.trim().split('\n').map(Number)]
  for (const pid of pids) process.kill(pid, `SIG${name}`)
}

const create = (title: string) => service.admin.post('/admin/incidents', { title })

test('requests to a frozen PostgreSQL are refused in time, and their connections are not used again', async () => {
  expect((await Promise.all([create('one'), create('two')])).map(({ status }) => status)).toEqual([201, 201])
  signal('STOP')
  try {
    const answers = await Promise.all([create('three'), create('four'), service.admin.get('/admin/incidents')])
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [503, '2'],
      [503, '2'],
      [503, '2'],
    ])
    expect((await service.as(undefined).get('//readyz')).status).toBe(503)
  } finally {
    signal('CONT')
  }
  const { status } = await create('five')
  expect(status).toBe(201)
  const { body } = await service.admin.get('/admin/incidents')
  expect(body.incidents.map(({ title }: { title: string }) => title).sort()).toEqual(['five', 'one', 'two'])
})

test('a statement that takes too long is ended and refused with 503', async () => {
  const { app } = service.services
  await expect(app.em.fork().execute('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' })
  const [row] = await app.em.fork().execute<{ one: number }[]>('select 1 as one')
  expect(row).toEqual({ one: 1 })
})
