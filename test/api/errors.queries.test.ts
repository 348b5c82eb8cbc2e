import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { routes } from '../../src/api/routes/index.ts'
import { encodeCursor, withListName } from '../../src/domain/kernel/paging.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

test.each(['/incidents', '/admin/incidents', '//', '//nowhere', '//subscriptions/confirm'])(
  'a query with more than a hundred parameters is refused at %s',
  async (path) => {
    const ask = (count: number) => service.admin.get(`${path}?${'a&'.repeat(count - 1)}a`)
    const { status, body } = await ask(101)
    expect([status, body.error]).toEqual([400, 'The query may have at most 100 parameters.'])
    expect((await ask(100)).body.error).not.toBe(body.error)
  },
)

const lists = [
  '/admin/incidents',
  '/admin/hierarchy/items',
  '/admin/api-tokens',
  '/admin/audit-events',
  '/admin/notifications',
  '/admin/workflows',
  '/incidents',
]

/** The paths of every list, by the name of its operation. */
const allLists = routes.flatMap(({ method, path, operation, door }): [name: string, path: string][] =>
  method === 'GET' && 'cursor' in operation.input.shape && !path.includes('{') && door !== 'api'
    ? [[operation.name, door === 'admin' ? `/admin${path}` : path]]
    : [],
)
const cursorOf = (list: string, cursor: string) => withListName(list, { next_cursor: cursor }).next_cursor

const encoded = (keys: unknown) => Buffer.from(JSON.stringify(keys)).toString('base64url')
const cursors = [
  'x',
  '',
  '%00',
  encoded({}),
  encoded([]),
  encoded(null),
  encoded([1e300]),
  encoded([-1]),
  encoded(['1']),
  encoded([1, 2]),
  encoded([0.5]),
  encoded([2 ** 40, 2 ** 40, 2 ** 40]),
  encoded([1, 1, 2 ** 31]),
  encoded(['0000-01-01T00:00:00Z', 1]),
  encoded(['9999-12-31T00:00:00Z', 1]),
  encoded(['2026-01-01T00:00:00Z', 2 ** 31]),
  encoded(['2026-01-01T00:00:00Z', 'a\0b']),
  encoded(['2026-01-01T00:00:00Z', '\ud800']),
]

describe.each(lists)('%s', (path) => {
  test.each(['limit=0', 'limit=101', 'limit=-1', 'limit=1.5', 'limit=', 'limit=many', 'limit=NaN', 'limit=Infinity'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await service.admin.get(`${path}?${query}`)
      expect([status, body.errors?.[0]?.path]).toEqual([400, 'limit'])
    },
  )

  test.each(['limit=1', 'limit=100'])('takes %s', async (query) => {
    expect((await service.admin.get(`${path}?${query}`)).status).toBe(200)
  })

  test('an unknown parameter and a repeated parameter are refused', async () => {
    const unknown = await service.admin.get(`${path}?colour=red`)
    expect([unknown.status, unknown.body.errors]).toEqual([
      400,
      [{ path: 'colour', message: 'is not a field of this request' }],
    ])
    expect((await service.admin.get(`${path}?limit=1&limit=2`)).status).toBe(400)
    expect((await service.admin.get(`${path}?limit[]=1`)).status).toBe(400)
    expect((await service.admin.get(`${path}?__proto__=1`)).status).toBe(400)
    expect((await service.admin.get(`${path}?constructor=1`)).status).toBe(400)
  })

  test.each(cursors)('refuses the cursor %s, or finds nothing behind it', async (cursor) => {
    const [name] = allLists.find(([, listed]) => listed === path)!
    const { status, body } = await service.admin.get(`${path}?cursor=${cursorOf(name, cursor)}`)
    if (status !== 200) expect([status, body.errors?.[0]?.path]).toEqual([400, 'cursor'])
  })

  test.each(['colour=%00', '%00=1', 'cursor=%00', 'limit=%zz', 'cursor=%ff', 'cursor=%ED%A0%80'])(
    'refuses %s',
    async (query) => {
      expect((await service.admin.get(`${path}?${query}`)).status).toBe(400)
    },
  )
})

test.each([
  '/admin/notifications?subject=incident:99999999999',
  '/admin/notifications?subject=incident',
  '/admin/notifications?key=%00',
  '/admin/workflows?subject=incident',
  '/admin/workflows?subject=1e400',
  '/admin/workflows?kind=%00',
  '/admin/audit-events?operation=%00',
  '/admin/incidents?view=wide',
  '/admin/incidents?view=full&view=full',
])('%s is refused', async (path) => {
  expect((await service.admin.get(path)).status).toBe(400)
})

test.each(allLists)('%s refuses the cursor of every other list', async (name, path) => {
  const others = new Set(allLists.map(([listed]) => listed).filter((listed) => listed !== name))
  const keys = [[1], ['2026-01-01T00:00:00Z', 1]].map(encodeCursor)
  const queries = [...others].flatMap((other) => keys.map((key) => `cursor=${cursorOf(other, key)}`))
  const answers = await Promise.all(queries.map((query) => service.admin.get(`${path}?${query}`)))
  for (const { status, body } of answers) expect([status, body.errors?.[0]?.path]).toEqual([400, 'cursor'])
})

describe('a filter with an unknown value is refused with the values that it takes', () => {
  const statusTypes = '"operational", "maintenance", "degraded", "partial_outage", "major_outage"'
  const processKinds =
    'incident, item, maintenance, series, beat, beat_group, inbox, ingest_token, delegation, plan, notification, digest, check'
  const eventSubjects = 'incident, maintenance, series, item, beat, beat_group, subscriber, view, page'
  test.each([
    ['/admin/incidents', 'status', `must be one of ${statusTypes}, "resolved"`],
    ['/incidents', 'status', `must be one of ${statusTypes}, "resolved"`],
    ['/admin/incidents', 'state', 'must be one of "open", "resolved"'],
    ['/admin/maintenances', 'status', 'must be one of "scheduled", "in_progress", "completed", "cancelled"'],
    ['/admin/maintenances', 'state', 'must be one of "open", "over"'],
    ['/admin/maintenance-series', 'status', 'must be one of "active", "paused", "ended"'],
    ['/admin/hierarchy/items', 'status', `must be one of ${statusTypes}`],
    ['/admin/beats', 'stage', 'must be one of "healthy", "warning", "critical", "unknown"'],
    ['/admin/beats', 'type', /^must be one of "http", /],
    ['/admin/beat-groups', 'stage', 'must be one of "healthy", "warning", "critical"'],
    ['/admin/beat-actions', 'state', /^must be one of "pending_review", /],
    ['/admin/banners', 'state', 'must be one of "open", "dismissed"'],
    ['/admin/presets', 'category', /^must be one of "general", /],
    [
      '/admin/workflows',
      'kind',
      'must be one of "incident", "item", "maintenance", "series", "beat", "beat_group", "inbox", "ingest_token", "delegation", "plan", "notification", "digest", "check"',
    ],
    ['/admin/workflows', 'state', 'must be one of "waiting", "running", "done", "stuck"'],
    [
      '/admin/workflows',
      'subject',
      new RegExp(`^must look like incident:17, with one of the kinds ${processKinds}, or`),
    ],
    ['/admin/notifications', 'key', /^must be one of "incident.created", /],
    ['/admin/notifications', 'subject', new RegExp(`with one of the kinds ${eventSubjects}, or`)],
    ['/admin/audit-events', 'operation', /^must be one of "access_links.create", .*"incidents.resolve"/],
  ])('%s?%s=', async (path, name, message) => {
    for (const value of ['nonsense', 'nonsense:1']) {
      const { status, body } = await service.admin.get(`${path}?${name}=${value}`)
      const matching = typeof message === 'string' ? message : expect.stringMatching(message)
      expect([status, body.errors]).toEqual([400, [{ path: name, message: matching }]])
    }
  })

  test('and a filter with a known value is not', async () => {
    await service.admin.post('/admin/incidents', { title: 'Down' })
    for (const path of [
      '/admin/audit-events?operation=incidents.create',
      '/admin/notifications?key=incident.created',
    ]) {
      const { status, body } = await service.admin.get(path)
      expect([path, status, body.total > 0]).toEqual([path, 200, true])
    }
  })
})

const reads = routes.filter(
  ({ door, method, path }) => method === 'GET' && !['api', 'link'].includes(door) && !path.includes('{'),
)

test.each(reads.map(({ door, path }) => (door === 'admin' ? `/admin${path}` : path)))(
  '%s refuses a parameter that it does not know',
  async (path) => {
    const { status, body } = await service.admin.get(`${path}?colour=red`)
    expect([status, body.errors]).toEqual([400, [{ path: 'colour', message: expect.any(String) }]])
  },
)

test('an unknown category of a preset is answered with the categories', async () => {
  const { status, body } = await service.admin.post('/admin/presets', { title: 'T', body: 'B', category: 'nonsense' })
  const message = expect.stringMatching(/^must be one of "general", "incident", .*"synthetic_recovery"$/)
  expect([status, body.errors]).toEqual([400, [{ path: 'category', message }]])
})

test('a write takes nothing from the query', async () => {
  const { status, body } = await service.admin.post('/admin/incidents?title=Down', {})
  expect([status, body.errors[0].path]).toEqual([400, 'title'])
  expect((await service.admin.patch('/admin/page?name=x', {})).status).toBe(400)
  expect((await service.admin.del('/admin/api-tokens/1?force=true')).status).toBe(400)
})

test('a path parameter is refused in the query', async () => {
  const { body } = await service.admin.post('/admin/incidents', { title: 'Down' })
  const workflow = `/admin/workflows/incident:${body.id}`
  expect((await service.admin.get(`${workflow}?workflow_id=incident:0`)).status).toBe(400)
  expect((await service.admin.post(`${workflow}/wake`, { workflow_id: 'incident:0' })).status).toBe(400)
})

const withoutViews = routes.flatMap(({ method, path, operation, door, waits }) =>
  method === 'GET' && !('view' in operation.input.shape) && door === 'admin' && !waits && !/\{(?!id\})/.test(path)
    ? [path]
    : [],
)

test('every read without a compact form accepts view=full, and refuses other views', async () => {
  const { body } = await service.admin.post('/admin/incidents', { title: 'One' })
  expect((await service.admin.get(`/admin/incidents/${body.id}?view=full`)).body).toEqual(
    (await service.admin.get(`/admin/incidents/${body.id}`)).body,
  )
  expect((await service.as(undefined).get(`/incidents/${body.id}?view=full`)).status).toBe(200)
  expect(withoutViews.length).toBeGreaterThan(40)
  for (const path of withoutViews) {
    const here = `/admin${path.replace('{id}', '999999')}`
    expect([path, (await service.admin.get(`${here}?view=full`)).status]).toEqual([
      path,
      (await service.admin.get(here)).status,
    ])
    expect([path, (await service.admin.get(`${here}?view=compact`)).status]).toEqual([path, 400])
  }
})
