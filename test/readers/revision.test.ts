import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const paths = () => [
  '/',
  '/api/v1/settings',
  '/api/v1/incidents',
  `/api/v1/pages/public/${service.page.page_slug}/summary`,
]

const revisions = () =>
  Promise.all(
    paths().map(async (path) => (await fetch(`${service.url}${path}`)).headers.get('X-Page-Revision') ?? 'none'),
  )

/** The revision of all addresses, once they agree and differ from the last revision. */
async function revisionAfter(last?: string): Promise<string> {
  const [first] = await until(revisions, (all) => new Set(all).size === 1 && all[0] !== last)
  expect(first).toMatch(/^[0-9a-f]{16}$/)
  return first!
}

test('all answers about the same state have the same revision, and each change has another', async () => {
  const { admin } = service
  let revision = await revisionAfter()
  const { body: item } = await admin.post('/admin/hierarchy/items', { name: 'Shop' })
  const affected_items = [{ id: item.id, status: 'major_outage' }]
  const changes = [
    () => admin.post('/admin/incidents', { title: 'Down', affected_items }),
    () => admin.post('/admin/incidents/1/updates', { message: 'Still looking' }),
    () => admin.post('/admin/maintenances', { title: 'Upgrade', affected_items: [{ id: item.id }] }),
    () => admin.patch('/admin/settings', { site_subtitle: 'How we are' }),
    () => admin.post('/admin/views', { name: 'Shops', items: [{ id: item.id }] }),
    () => admin.patch('/admin/views/1', { name: 'All shops' }),
    () => admin.post('/admin/incidents/1/resolve'),
  ]
  revision = await revisionAfter(revision)
  for (const change of changes) {
    expect((await change()).status).toBeLessThan(300)
    revision = await revisionAfter(revision)
  }
})
