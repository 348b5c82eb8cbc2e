import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
const path = '/admin/presets'
const otherPath = () => `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin/presets`

beforeAll(async () => {
  service = await openTestService()
  for (const title of ['1', '2', '3', '4', '5']) {
    await service.admin.post(path, {
      title,
      body: `Body ${title}`,
      category: Number(title) % 2 ? 'incident' : 'maintenance',
    })
  }
  await service.otherAdmin.post(otherPath(), { title: 'Other', body: 'Other' })
})
afterAll(() => service.close())

const titles = (body: { presets: { title: string }[] }) => body.presets.map((preset) => preset.title)

test('presets are listed newest first, without their bodies', async () => {
  const { status, body } = await service.admin.get(path)
  expect([status, titles(body), body.total]).toEqual([200, ['5', '4', '3', '2', '1'], 5])
  expect(body.presets[0]).toEqual({
    id: expect.any(Number),
    title: '5',
    category: 'incident',
    auto_post_on_maintenance_start: false,
    auto_post_on_maintenance_completion: false,
    version: 1,
  })
})

test('the full ones are as they are alone', async () => {
  const [first] = (await service.admin.get(`${path}?view=full`)).body.presets
  expect(first).toMatchObject({ title: '5', body: 'Body 5' })
  expect((await service.admin.get(`${path}/${first.id}`)).body).toEqual(first)
})

test.each([
  ['incident', ['5', '3', '1']],
  ['maintenance', ['4', '2']],
  ['general', []],
])('those of the category %s are %j', async (category, expected) => {
  const { body } = await service.admin.get(`${path}?category=${category}`)
  expect([titles(body), body.total]).toEqual([expected, expected.length])
})

test('an unknown category is refused', async () => {
  const { status, body } = await service.admin.get(`${path}?category=other`)
  expect([status, body.errors[0].path]).toEqual([400, 'category'])
})

test('pages follow one another, within a category too', async () => {
  const first = await service.admin.get(`${path}?category=incident&limit=2`)
  expect([titles(first.body), first.body.total]).toEqual([['5', '3'], 3])
  expect(first.headers.get('link')).toContain('category=incident')
  const cursor = encodeURIComponent(first.body.next_cursor)
  const last = await service.admin.get(`${path}?category=incident&limit=2&cursor=${cursor}`)
  expect([titles(last.body), last.body.next_cursor]).toEqual([['1'], undefined])
  expect((await service.admin.get(`${path}?cursor=wrong`)).status).toBe(400)
})

test('the presets of one page are not there for another', async () => {
  const { body } = await service.otherAdmin.get(otherPath())
  expect([titles(body), body.total]).toEqual([['Other'], 1])
  const one = `${path}/${body.presets[0].id}`
  expect((await service.admin.get(one)).status).toBe(404)
  expect((await service.admin.patch(one, { title: 'Mine' })).status).toBe(404)
  expect((await service.admin.del(one)).status).toBe(404)
  expect((await service.otherAdmin.get(otherPath())).body.presets[0].title).toBe('Other')
})
