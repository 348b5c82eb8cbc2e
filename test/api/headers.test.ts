import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '../support/caller.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let anyone: Caller
beforeAll(async () => {
  service = await openTestService()
  anyone = service.as(undefined)
})
afterAll(() => service.close())

test.each([
  ...['/incidents', '/settings', '/admin/incidents', '/context', '/openapi.json', '/nowhere', '/heartbeats/none'],
  ...['//', '//status/first', '//status/none', '//api/docs', '//api/docs/start.js', '//healthz', '//readyz'],
])('browsers read the answer at %s only as its content type', async (path) => {
  for (const caller of [anyone, service.admin, service.as('upb_wrong')]) {
    expect((await caller.get(path)).headers.get('x-content-type-options')).toBe('nosniff')
  }
})

describe('Cache-Control', () => {
  const kept = async (caller: Caller, path: string) => (await caller.get(path)).headers.get('cache-control')

  test.each(['/context', '/org/pages', '/admin/incidents', '/admin/settings', '/admin/nowhere', '/admin/incidents/1'])(
    'the admin answer at %s is not stored anywhere',
    async (path) => {
      expect(await kept(service.admin, path)).toBe('no-store')
      expect(await kept(anyone, path)).toBe('no-store')
      const scoped = path.replace(/^\/admin/, `/orgs/${service.page.organization_id}/pages/${service.page.id}/admin`)
      expect(await kept(service.admin, scoped)).toBe('no-store')
    },
  )

  test.each(['/incidents', '/settings', '//', '//status/first', '//api/docs', '/openapi.json', '/incidents/1'])(
    'no answer to a credential at %s is stored anywhere',
    async (path) => {
      expect(await kept(service.admin, path)).toBe('no-store')
      expect(await kept(service.as('upb_wrong'), path)).toBe('no-store')
    },
  )

  test.each(['/incidents', '/settings', '//status/first', '//api/docs', '/openapi.json'])(
    'what anyone may read at %s is stored, and asked for again with its ETag',
    async (path) => {
      const { headers } = await anyone.get(path)
      expect(headers.get('cache-control')).toBe('public, no-cache')
      const again = await anyone.get(path, { 'If-None-Match': headers.get('etag')! })
      expect([again.status, again.body]).toEqual([304, ''])
    },
  )

  test.each(['/nowhere', '/incidents/1', '/incidents?limit=none', '//healthz', '//readyz'])(
    'no error and no health at %s is stored',
    async (path) => {
      expect(await kept(anyone, path)).toBe('no-store')
    },
  )
})
