import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const change = (body: object) => house.admin.patch('/admin/page', body)
const get = async () => (await house.admin.get('/admin/page')).body

test('without a base domain a page answers below its slug', async () => {
  expect(await get()).toMatchObject({
    public_domain: 'status.test',
    public_url: 'http://status.test/status/first',
    fallback_url: 'http://status.test/status/first',
    custom_domains: [],
    version: expect.any(Number),
  })
})

test('what is changed is seen at once, everywhere, and the rest stays', async () => {
  const before = await get()
  const { status, body } = await change({ name: 'Acme status', public_slug: 'acme', page_slug: 'main' })
  expect(status).toBe(200)
  expect(body).toEqual({
    ...before,
    name: 'Acme status',
    public_slug: 'acme',
    page_slug: 'main',
    public_url: 'http://status.test/status/acme',
    fallback_url: 'http://status.test/status/acme',
    version: before.version + 1,
  })
  expect(await get()).toEqual(body)
  const { version, ...summary } = body
  expect((await house.admin.get('/context')).body.page).toEqual(summary)
  expect((await house.admin.get('/org/pages')).body.pages).toEqual([summary])
  expect((await house.as(undefined).get('/pages/public/current-host')).body).toEqual(summary)
  expect((await house.as(undefined).get('//status/acme')).status).toBe(200)
  expect((await house.as(undefined).get('//status/first')).status).toBe(404)
  expect((await house.as(undefined).get('/pages/public/main/components')).status).toBe(200)
})

test('an empty change changes nothing that is shown', async () => {
  const { version: _before, ...before } = await get()
  const { status, body } = await change({})
  const { version: _after, ...after } = body
  expect([status, after]).toEqual([200, before])
})

test('a page that is read may be sent back', async () => {
  const before = await get()
  const { status, body } = await change(before)
  expect([status, body.name]).toEqual([200, before.name])
})

describe('slugs', () => {
  test('a public slug is taken once, everywhere', async () => {
    const before = await get()
    const { status, body } = await change({ public_slug: 'other', name: 'Changed' })
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect(await get()).toEqual(before)
  })

  test('a page slug is taken once in an organization, and another may have it too', async () => {
    expect((await change({ page_slug: 'other' })).status).toBe(200)
  })

  test.each(['', 'A', 'a b', '-a', 'a-', 'a--b', 'ä', 'a.b', 'x'.repeat(64), null, 1])('%j is none', async (slug) => {
    for (const field of ['page_slug', 'public_slug']) {
      const { status, body } = await change({ [field]: slug })
      expect([status, body.errors[0].path]).toEqual([400, field])
    }
  })
})

test.each([
  ['name', ''],
  ['name', null],
  ['visibility', 'hidden'],
  ['visibility', null],
  ['version', 0],
  ['version', '1'],
  ['colour', 'red'],
])('a wrong %s is refused', async (field, value) => {
  const { status, body } = await change({ [field]: value })
  expect([status, body.errors[0].path]).toEqual([400, field])
})

describe('visibility', () => {
  test('a private page is closed at once, and opens again', async () => {
    const anyone = house.as(undefined)
    await anyone.get('/incidents')
    expect((await change({ visibility: 'private' })).body.visibility).toBe('private')
    for (const path of ['/incidents', '/pages/public/current-host', '/pages/public/other/components']) {
      expect([path, (await anyone.get(path)).status]).toEqual([path, 401])
      expect([path, (await house.admin.get(path)).status]).toEqual([path, 200])
    }
    expect((await change({ visibility: 'public' })).status).toBe(200)
    expect((await anyone.get('/incidents')).status).toBe(200)
  })
})
