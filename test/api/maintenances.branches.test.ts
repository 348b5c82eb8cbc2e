import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { recomputeStatuses } from '../../src/domain/hierarchy/statuses.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import { randomFrom } from '../faults/random.ts'
import { openIncident, resolve } from '../support/incidents.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
/** Three roots, each with three below it, each of which has two. */
const items: number[] = []
beforeAll(async () => {
  service = await openTestService()
  for (let root = 0; root < 3; root += 1) {
    const parent = await item({})
    for (let n = 0; n < 3; n += 1) {
      const child = await item({ parent_id: parent, depth: 2 })
      for (let leaf = 0; leaf < 2; leaf += 1) await item({ parent_id: child, depth: 3 })
    }
  }
})
afterAll(() => service?.close())

async function item(body: object): Promise<number> {
  const id = await makeItem(service, `Item ${items.length}`, body)
  items.push(id)
  return id
}

const path = '/admin/maintenances'
const refs = (ids: number[]) => [...new Set(ids)].map((id) => ({ id }))

/** What looks at the whole page have had to change so far. */
async function missed(): Promise<object[]> {
  const { services, page } = service
  return inPageTransaction(services.app, page.id, async (tx) => {
    await recomputeStatuses(tx, { pageId: page.id, now: service.now, cause: { kind: 'vocabulary', id: null } })
    return tx.execute(`select item_id, status, previous_status from status_event where cause_kind = 'vocabulary'`)
  })
}

async function statuses(): Promise<Set<string>> {
  const { body } = await service.admin.get('/admin/hierarchy/items?limit=100')
  return new Set(body.items.map(({ status }: { status: string }) => status))
}

test('windows that start and end at once under the same and under other roots leave every status right', async () => {
  const random = randomFrom(5)
  const some = () => refs(Array.from({ length: random.between(1, 3) }, () => random.pick(items)))
  const incidents = await Promise.all(
    [1, 2].map(() => openIncident(service, { affected_items: refs([random.pick(items)]) })),
  )
  const planned = await Promise.all(
    Array.from({ length: 24 }, async () => {
      const { status, body } = await service.admin.post(path, { title: 'Upgrade', affected_items: some() })
      expect(status).toBe(201)
      return body.id as number
    }),
  )
  const all = async (what: string, ids: number[]) => {
    const answers = await Promise.all(ids.map((id) => service.admin.post(`${path}/${id}/${what}`)))
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200))
    expect(await missed()).toEqual([])
  }
  await all('start', planned.slice(0, 12))
  await Promise.all([
    ...[all('start', planned.slice(12)), all('complete', planned.slice(0, 8))],
    service.admin.post(`/admin/hierarchy/items/${items[5]}/move`, { parent_id: items[10], depth: 2 }),
  ])
  expect(await missed()).toEqual([])
  await all('complete', planned.slice(8))
  await Promise.all(incidents.map(({ id }) => resolve(service, id)))
  expect(await missed()).toEqual([])
  expect(await statuses()).toEqual(new Set(['operational']))
})
