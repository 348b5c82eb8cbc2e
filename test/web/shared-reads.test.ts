import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import pg from 'pg'
import { prune } from '../../src/domain/retention.ts'
import { pageRevision } from '../../src/persistence/page-revision.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import { openSharedReads } from '../../src/web/answers/shared-reads.ts'
import { type Made, openPublicReads } from '../../src/web/public-reads.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
let owner: pg.Client
let incident: number
beforeAll(async () => {
  // The database ends no statement before a process loses its patience.
  service = await openTestService({ statementMs: { app: 600_000, system: 600_000 } })
  owner = new pg.Client({ connectionString: service.services.app.config.get('clientUrl')! })
  await owner.connect()
  incident = (await service.admin.post('/admin/incidents', { title: 'First' })).body.id
})
afterAll(async () => {
  await owner.end()
  await service.close()
})
beforeEach(async () => {
  made.length = 0
  await owner.query('delete from shared_read')
})

const KEY = '/?'
/** Which process made an answer, in order. */
const made: string[] = []

/** The answer shows the title of the incident. */
async function titleNow(): Promise<Made> {
  const { app, page } = { ...service.services, ...service }
  return inPageTransaction(
    app,
    page.id,
    async (tx) => {
      const [row] = await tx.execute<{ title: string }[]>('select title from incident where id = ?', [incident])
      return { body: row!.title, revision: await pageRevision(tx, page.id) }
    },
    'read',
  )
}

/** The public reads of an API process. */
function openProcess(name: string, hasOthers = () => true) {
  const { logger } = service.services
  const reads = openPublicReads(logger, undefined, openSharedReads({ ...service.services, hasOthers }))
  const pageId = service.page.id
  return {
    changed: () => reads.changed(pageId),
    changedElsewhere: () => reads.changedElsewhere(pageId),
    read: (produce = titleNow, key = KEY) => {
      const counted = () => {
        made.push(name)
        return produce()
      }
      return reads.read(pageId, key, counted, { isShared: true })
    },
  }
}
const shown = async (reading: ReturnType<ReturnType<typeof openProcess>['read']>) =>
  (await reading).body.plain.toString()

const rename = (title: string) => service.admin.patch(`/admin/incidents/${incident}`, { title })
const rows = async () => (await owner.query('select * from shared_read order by key')).rows
const stored = () => until(rows, (all) => all.length > 0 && all.every(({ made_at }) => made_at !== null))

test('after each change, one process makes the answer, and the others take it with its ETag', async () => {
  const all = ['a', 'b', 'c'].map((name) => openProcess(name))
  for (const title of ['One', 'Two', 'Three']) {
    await rename(title)
    for (const one of all) one.changedElsewhere()
    made.length = 0
    const answers = await Promise.all(all.map((one) => one.read()))
    expect(answers.map(({ body }) => body.plain.toString())).toEqual([title, title, title])
    expect(new Set(answers.map(({ body }) => body.etag)).size).toBe(1)
    expect(new Set(answers.map(({ headers }) => headers['X-Page-Revision'])).size).toBe(1)
    expect(made).toHaveLength(1)
  }
})

test('a taken answer keeps its compressed body', async () => {
  const text = 'words '.repeat(1000)
  await openProcess('a').read(async () => ({ ...(await titleNow()), body: text }))
  const { body } = await openProcess('b').read()
  const [row] = await stored()
  expect([made, body.plain.toString(), row.body.equals(body.in('br'))]).toEqual([['a'], text, true])
})

test('an answer that differs only in its time keeps its ETag in every process', async () => {
  const at = (time: number) => async () => ({ ...(await titleNow()), body: `now: ${time}`, compared: 'now' })
  const b = openProcess('b')
  await openProcess('a').read(at(1))
  await b.read(at(2))
  b.changed()
  expect(await shown(b.read(at(3)))).toBe('now: 1')
  expect(await shown(openProcess('c').read(at(4)))).toBe('now: 1')
  expect(made).toEqual(['a', 'b'])
})

test('the lease of a process that was killed ends, and one other process makes the answer', async () => {
  await rename('Later')
  const killed = Promise.withResolvers<Made>()
  void openProcess('killed').read(() => killed.promise)
  await until(rows, (all) => all.length === 1)
  const longer = `select from shared_read where making_until > clock_timestamp() + interval '2 seconds'`
  expect((await owner.query(longer)).rowCount).toBe(0)
  await owner.query('update shared_read set making_until = clock_timestamp()')
  expect(await shown(openProcess('a').read())).toBe('Later')
  expect(await shown(openProcess('b').read())).toBe('Later')
  expect(made).toEqual(['killed', 'a'])
  const before = await stored()
  killed.resolve({ body: 'Too late', revision: before[0].revision })
  expect(await shown(openProcess('c').read())).toBe('Later')
  expect(await rows()).toEqual(before)
})

test('the wait for another process ends before its lease', async () => {
  await rename('Alone')
  const hanging = Promise.withResolvers<Made>()
  void openProcess('hanging').read(() => hanging.promise)
  await until(rows, (all) => all.length === 1)
  await owner.query(`update shared_read set making_until = clock_timestamp() + interval '1 hour'`)
  expect(await shown(openProcess('a').read())).toBe('Alone')
  expect(made).toEqual(['hanging', 'a'])
  hanging.resolve({ body: '' })
})

test('a process that could not make the answer leaves it to the next one', async () => {
  await expect(openProcess('a').read(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await until(rows, (all) => all.length === 0)
  await openProcess('b').read()
  expect(made).toEqual(['a', 'b'])
})

test('an answer that was begun before a change is not taken after the change', async () => {
  await rename('Before')
  const [a, b] = [openProcess('a'), openProcess('b')]
  const goOn = Promise.withResolvers<void>()
  const slow = a.read(async () => {
    const answer = await titleNow()
    await goOn.promise
    return answer
  })
  await until(rows, (all) => all.length === 1)
  await rename('After')
  a.changed()
  b.changedElsewhere()
  // The process itself does not wait for its own old answer.
  expect(await shown(a.read())).toBe('After')
  goOn.resolve()
  expect(await shown(slow)).toBe('Before')
  expect(await shown(b.read())).toBe('After')
  expect(made).toEqual(['a', 'a'])

  const old = openProcess('old').read(titleNow, '/incidents/1?')
  await old
  await rename('Last')
  expect(await shown(b.read(titleNow, '/incidents/1?'))).toBe('Last')
})

test('a change that the revision does not show is seen by the process that made it', async () => {
  const [a, b] = [openProcess('a'), openProcess('b')]
  await a.read()
  await stored()
  a.changed()
  await a.read()
  expect(made).toEqual(['a', 'a'])
  await b.read()
  expect(made).toEqual(['a', 'a'])
})

test('a taken answer is used as long as if this process had made it', async () => {
  await openProcess('a').read()
  await stored()
  await owner.query(`update shared_read set made_at = made_at - interval '5 seconds'`)
  const { at, validity } = await openProcess('b').read()
  expect(validity.until - performance.now()).toBeLessThanOrEqual(5000)
  expect(Date.now() - at).toBeGreaterThanOrEqual(5000)
  await owner.query(`update shared_read set made_at = made_at - interval '4 seconds'`)
  await openProcess('c').read()
  expect(made).toEqual(['a', 'c'])
})

const broken: [string, string, string][] = [
  ['a broken body', `update shared_read set body = 'x'`, 'select'],
  ['no table', 'alter table shared_read rename to away', 'alter table away rename to shared_read'],
  ['a table that does not answer', 'begin; lock table shared_read', 'commit'],
]
test.each(broken)('with %s, each process makes its own answer', async (_case, breaks, mends) => {
  await openProcess('a').read()
  await stored()
  await owner.query(breaks)
  try {
    await openProcess('b').read()
    expect(made).toEqual(['a', 'b'])
  } finally {
    await owner.query(mends)
  }
})

test('after a failure, a process makes its answers alone for a while', async () => {
  await openProcess('a').read()
  await stored()
  await owner.query(`update shared_read set body = 'x'`)
  const b = openProcess('b')
  await b.read()
  await b.read(titleNow, '/status/first?')
  expect(await rows()).toMatchObject([{ key: KEY, body: Buffer.from('x') }])
})

test('a long answer is not stored, and no process waits for it', async () => {
  const long = async () => ({ ...(await titleNow()), body: randomBytes(400_000).toString('hex') })
  await openProcess('a').read(long)
  const [row] = await stored()
  expect(row).toMatchObject({ body: null, revision: expect.any(String) })
  await openProcess('b').read(long)
  expect(await rows()).toEqual([row])
  expect(made).toEqual(['a', 'b'])
})

test('a page has at most 500 answers, and old ones are deleted', async () => {
  const insert = `insert into shared_read (page_id, key, making_by, making_until)
    select $1, 'k' || n, 'x', now() - $2::interval from generate_series(1, 500) n`
  await owner.query(insert, [service.page.id, '30 seconds'])
  await openProcess('a').read()
  expect(await rows()).toHaveLength(500)
  await owner.query(`update shared_read set making_until = making_until - interval '1 minute'`)
  await openProcess('a').read()
  expect(await stored()).toMatchObject([{ key: KEY }])
})

test('the answers of a page without readers are deleted', async () => {
  const insert = `insert into shared_read (page_id, key, making_by, making_until)
    select $1, n::text, 'x', now() - n * interval '1 minute' from generate_series(50, 70, 20) n`
  await owner.query(insert, [service.page.id])
  await prune(service.services)
  expect(await rows()).toMatchObject([{ key: '50' }])
})

test('without another process, a read has no statement', async () => {
  const original = pg.Client.prototype.query
  let statements = 0
  pg.Client.prototype.query = function count(this: pg.Client, ...args: unknown[]) {
    statements += 1
    return Reflect.apply(original, this, args)
  } as typeof original
  try {
    await openProcess('a', () => false).read(async () => ({ body: 'x' }))
    expect(statements).toBe(0)
    await openProcess('a').read(async () => ({ body: 'x' }))
    expect(statements).toBeGreaterThan(0)
  } finally {
    pg.Client.prototype.query = original
  }
})
