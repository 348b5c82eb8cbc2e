import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
const ids: number[] = []
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-03-02T10:00:00.000Z') })
  const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'API' })
  // Three of them start at the same moment: the order must not depend on it alone.
  for (const minute of ['01', '03', '03', '03', '02', '05', '04']) {
    const { body } = await service.admin.post('/admin/incidents', {
      title: `at ${minute}`,
      started_at: `2026-03-02T09:${minute}:00Z`,
      external_id: `n${ids.length}`,
      impact: 'some',
      affected_items: [{ id: item.id }],
      chat_channel_id: 'C1',
      reminder_interval_minutes: 5,
    })
    ids.push(body.id)
  }
})
afterAll(() => service.close())

const expected = () => [5, 6, 3, 2, 1, 4, 0].map((index) => ids[index])

async function walk(path: string): Promise<{ id: number }[][]> {
  const pages: { id: number }[][] = []
  for (let next: string | undefined = path; next; ) {
    const { status, body, headers } = await service.admin.get(next.replace('/api/v1', ''))
    expect([status, body.total]).toEqual([200, 7])
    pages.push(body.incidents)
    const link = /^<(\/api\/v1[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    expect(link === undefined).toBe(body.next_cursor === undefined)
    if (link) expect(new URL(link, service.url).searchParams.get('cursor')).toBe(body.next_cursor)
    next = link
  }
  return pages
}

describe.each(['/admin/incidents', '/incidents'])('%s', (path) => {
  test('is paged without gaps or repetitions, the last start first', async () => {
    const pages = await walk(`${path}?limit=3`)
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
    expect(pages.flat().map((incident) => incident.id)).toEqual(expected())
  })

  test('a page that is exactly full has no next one', async () => {
    expect((await walk(`${path}?limit=7`)).map((page) => page.length)).toEqual([7])
  })

  test('the link keeps what else was asked', async () => {
    const { headers } = await service.admin.get(`${path}?view=full&limit=3`)
    expect(headers.get('link')).toContain('view=full')
    expect((await walk(`${path}?view=full&limit=2`)).flat().map((incident) => incident.id)).toEqual(expected())
  })
})

test('what is added meanwhile moves nothing', async () => {
  const first = await service.admin.get('/admin/incidents?limit=3')
  const { body: later } = await service.admin.post('/admin/incidents', { title: 'new' })
  const rest = await service.admin.get(`/admin/incidents?limit=10&cursor=${first.body.next_cursor}`)
  expect(rest.body.incidents.map((incident: { id: number }) => incident.id)).toEqual(expected().slice(3))
  // For the others in this file.
  await service.services.system.em.fork().execute('delete from incident where id = ?', [later.id])
})

test('compact is enough for a table, full is all there is', async () => {
  const compact = (await service.admin.get('/admin/incidents')).body.incidents[0]
  const full = (await service.admin.get('/admin/incidents?view=full')).body.incidents[0]
  const single = (await service.admin.get(`/admin/incidents/${full.id}`)).body
  for (const field of ['id', 'status', 'title', 'description', 'started_at', 'created_at', 'updated_at']) {
    expect(compact).toHaveProperty(field)
  }
  for (const field of ['external_id', 'version', 'impact', 'lifecycle_stage_id']) expect(compact).toHaveProperty(field)
  for (const field of ['updates', 'affected_items', 'lifecycle_stage']) {
    expect(compact).not.toHaveProperty(field)
    expect(full).toHaveProperty(field)
  }
  expect(full).toEqual(single)
  expect(full).toMatchObject(compact)
})
