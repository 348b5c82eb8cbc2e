import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let first: TestService
let second: TestService
beforeAll(async () => {
  first = await openTestService({ sharesReads: true })
  second = await openTestService({ sharesReads: true, anotherOf: first })
  for (const { services } of [first, second]) {
    services.observeOperation = (name, outcome) => outcome === 'done' && executed.push([services, name])
  }
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const executed: [object, string][] = []
const operationsOf = ({ services }: TestService) => executed.filter(([one]) => one === services).map(([, name]) => name)

const keys = async () => {
  const sql = 'select key from shared_read where page_id = ? and made_at is not null order by key'
  const rows = await first.services.system.em.fork().execute<{ key: string }[]>(sql, [first.page.id])
  return rows.map(({ key }) => key)
}
const forget = () => first.services.system.em.fork().execute('delete from shared_read')

const reads: [string, string][] = [
  ['//', 'public.home'],
  ['/pages/public/first/summary', 'public.summary'],
  ['//feed.rss', 'public.feed'],
]
test.each(reads)('%s of an open page is computed by one API process', async (path, operation) => {
  const answers = [await first.as(undefined).get(path), await second.as(undefined).get(path)]
  const [one, other] = answers.map(({ status, body, headers }) => [status, body, headers.get('etag')])
  expect(one).toEqual(other)
  const names = ['content-type', 'content-security-policy', 'x-page-revision', 'content-language', 'vary']
  const [its, others] = answers.map(({ headers }) => names.map((name) => headers.get(name)))
  expect(its).toEqual(others)
  expect([first, second].flatMap(operationsOf).filter((name) => name === operation)).toHaveLength(1)

  await first.admin.post('/admin/incidents', { title: `Changes ${operation}` })
  const changed = await first.as(undefined).get(path)
  expect([changed.status, changed.headers.get('etag')]).not.toEqual([200, one![2]])
})

test('an answer of a view for certain readers is not shared', async () => {
  const item = (await first.admin.post('/admin/hierarchy/items', { name: 'Shop' })).body.id
  const german = { supported_locales: ['en', 'de'], multilingual_enabled: true, multilingual_public_ready: true }
  await first.admin.patch('/admin/settings', german)
  const view = { name: 'Shops', items: [{ id: item }] }
  await first.admin.post('/admin/views', { ...view, alias: 'everyone' })
  await first.admin.post('/admin/views', { ...view, alias: 'inside', access_mode: 'verified_email' })
  await forget()
  for (const alias of ['inside', 'everyone']) {
    expect((await first.admin.get(`/views/${alias}/data`)).status).toBe(200)
  }
  expect(await until(keys, (all) => all.length > 0)).toEqual(['/api/v1/views/everyone/data?locale=en'])
})

test('an answer of a page that not everyone may read is not shared', async () => {
  await first.admin.patch('/admin/page', { visibility: 'private' })
  await forget()
  for (const [path] of reads) expect([path, (await first.admin.get(path)).status]).toEqual([path, 200])
  await first.admin.patch('/admin/page', { visibility: 'public' })
  await first.as(undefined).get('/settings')
  expect(await until(keys, (all) => all.length > 0)).toEqual(['/api/v1/settings?locale=en'])
})
