import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { BeatComponent } from '../../src/persistence/entities/beat-component.ts'
import { storeResults } from '../support/beat-results.ts'
import { makeItem } from '../support/maintenances.ts'
import { type BeatFields, inPage, insertBeat } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const now = new Date('2026-03-01T10:17:30Z')

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: now })
})
afterAll(() => service.close())

const path = () => `/pages/public/${service.page.page_slug}/metrics`
/** Changes the page, so that its snapshots are rebuilt. */
const read = async (query = '', caller = service.as(undefined)) => {
  service.services.pageChanged(service.page.id)
  return caller.get(`${path()}${query}`)
}
const labels = async (query = '') => (await read(query)).body.metrics.map(({ label }: { label: string }) => label)

async function makeBeat(itemId: number, fields: BeatFields = {}, mapped = itemId): Promise<number> {
  const shown = { public_metrics_enabled: true, public_metrics_component_id: itemId }
  const id = await insertBeat(service, { ...shown, ...fields })
  await inPage(service, async ({ tx, pageId }) => {
    const reference = { id: mapped, slug: 'x' }
    tx.create(BeatComponent, { page_id: pageId, owner_kind: 'beat', owner_id: id, item_id: mapped, reference })
  })
  return id
}

test('readers see uptime and latencies of the components with public metrics, and nothing about their checks', async () => {
  const item = await makeItem(service, 'Checkout')
  const id = await makeBeat(item, {
    ...{ name: 'INTERNAL probe', target: { url: 'http://SECRET.example/' }, last_evidence_summary: 'EVIDENCE' },
    ...{ public_metrics_label: 'Response time', interval_seconds: 5 },
  })
  await storeResults(
    service,
    Array.from({ length: 100 }, (_, n) => ({
      ...{ beat_id: id, region: 'REGION', evidence: 'EVIDENCE', latency_ms: 200, ok: n !== 3 },
      at: new Date(now.getTime() - (n + 1) * 1000),
    })),
  )
  const { status, body, headers } = await read()
  expect([status, body.total, headers.get('access-control-allow-origin')]).toEqual([200, 1, '*'])
  const latency_ms = { p50: 198, p95: 198, p99: 198 }
  expect(body.metrics[0]).toMatchObject({
    item: { id: item, name: 'Checkout', slug: 'checkout', status: 'operational', hierarchy_path: 'Checkout' },
    ...{ label: 'Response time', range: '24h', resolution_seconds: 600, uptime_percent: 99, latency_ms },
  })
  expect(Object.keys(body.metrics[0]).sort()).toEqual([
    ...['end_time', 'item', 'label', 'latency_ms', 'points', 'range'],
    ...['resolution_seconds', 'start_time', 'uptime_percent'],
  ])
  expect(body.metrics[0].points.at(-1)).toEqual({ at: '2026-03-01T10:10:00.000Z', uptime_percent: 99, latency_ms })
  expect(JSON.stringify(body)).not.toMatch(/INTERNAL|SECRET|EVIDENCE|REGION/)
  const again = await service.as(undefined).get(path(), { 'If-None-Match': headers.get('etag')! })
  expect(again.status).toBe(304)
})

test('a range is not longer than the maximum of the beat, and an unknown range is refused', async () => {
  const item = await makeItem(service, 'Search')
  await makeBeat(item, { public_metrics_max_range: '7d' })
  const rangeOf = async (query: string) =>
    (await read(query)).body.metrics.find((one: { item: { id: number } }) => one.item.id === item)
  expect((await rangeOf('?range=24h')).range).toBe('24h')
  expect(await rangeOf('?range=90d')).toMatchObject({ range: '7d', resolution_seconds: 3600 })
  expect((await rangeOf('?range=90d')).points).toHaveLength(168)
  expect((await read('?range=1y')).status).toBe(400)
  expect((await read('?by_region=true')).status).toBe(400)
})

test('metrics that are not public, or whose item is not mapped or archived, are absent', async () => {
  const [off, unmapped, archived, nameless] = [
    await makeItem(service, 'Off'),
    await makeItem(service, 'Unmapped'),
    await makeItem(service, 'Archived'),
    await makeItem(service, 'Nameless'),
  ]
  await makeBeat(off, { public_metrics_enabled: false })
  await makeBeat(unmapped, {}, off)
  await makeBeat(archived)
  await makeBeat(999_999)
  await makeBeat(nameless)
  expect(await labels()).toEqual(expect.arrayContaining(['Archived', 'Nameless']))
  await service.admin.del(`/admin/hierarchy/items/${archived}?archive=true`)
  const shown = await labels()
  expect(shown).toContain('Nameless')
  for (const hidden of ['Off', 'Unmapped', 'Archived']) expect(shown).not.toContain(hidden)
})

test('a private page shows public metrics only to its own tokens', async () => {
  await service.admin.patch('/admin/page', { visibility: 'private' })
  expect((await read()).status).toBe(404)
  expect((await read('', service.admin)).status).toBe(200)
  expect((await read('', service.otherAdmin)).status).toBe(404)
  await service.admin.patch('/admin/page', { visibility: 'public' })
})
