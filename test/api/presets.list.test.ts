import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'

let house: House
const path = '/admin/presets'
const otherPath = () => `/orgs/${house.otherPage.organization_id}/pages/${house.otherPage.id}/admin/presets`

beforeAll(async () => {
  house = await openHouse()
  for (const title of ['1', '2', '3', '4', '5']) {
    await house.admin.post(path, {
      title,
      body: `Body ${title}`,
      category: Number(title) % 2 ? 'incident' : 'maintenance',
    })
  }
  await house.otherAdmin.post(otherPath(), { title: 'Other', body: 'Other' })
})
afterAll(() => house.close())

const titles = (body: { presets: { title: string }[] }) => body.presets.map((preset) => preset.title)

test('presets are listed newest first, without their bodies', async () => {
  const { status, body } = await house.admin.get(path)
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
  const [first] = (await house.admin.get(`${path}?view=full`)).body.presets
  expect(first).toMatchObject({ title: '5', body: 'Body 5' })
  expect((await house.admin.get(`${path}/${first.id}`)).body).toEqual(first)
})

test.each([
  ['incident', ['5', '3', '1']],
  ['maintenance', ['4', '2']],
  ['general', []],
])('those of the category %s are %j', async (category, expected) => {
  const { body } = await house.admin.get(`${path}?category=${category}`)
  expect([titles(body), body.total]).toEqual([expected, expected.length])
})

test('an unknown category is refused', async () => {
  const { status, body } = await house.admin.get(`${path}?category=other`)
  expect([status, body.errors[0].path]).toEqual([400, 'category'])
})

test('pages follow one another, within a category too', async () => {
  const first = await house.admin.get(`${path}?category=incident&limit=2`)
  expect([titles(first.body), first.body.total]).toEqual([['5', '3'], 3])
  expect(first.headers.get('link')).toContain('category=incident')
  const cursor = encodeURIComponent(first.body.next_cursor)
  const last = await house.admin.get(`${path}?category=incident&limit=2&cursor=${cursor}`)
  expect([titles(last.body), last.body.next_cursor]).toEqual([['1'], undefined])
  expect((await house.admin.get(`${path}?cursor=wrong`)).status).toBe(400)
})

test('the presets of one page are not there for another', async () => {
  const { body } = await house.otherAdmin.get(otherPath())
  expect([titles(body), body.total]).toEqual([['Other'], 1])
  const one = `${path}/${body.presets[0].id}`
  expect((await house.admin.get(one)).status).toBe(404)
  expect((await house.admin.patch(one, { title: 'Mine' })).status).toBe(404)
  expect((await house.admin.del(one)).status).toBe(404)
  expect((await house.otherAdmin.get(otherPath())).body.presets[0].title).toBe('Other')
})
