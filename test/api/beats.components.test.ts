import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { beatsPath, makeBeat } from '../support/beats.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const patch = (id: number, body: object) => service.admin.patch(`${beatsPath}/${id}`, body)
const read = async (id: number) => (await service.admin.get(`${beatsPath}/${id}`)).body
let number = 0
const item = () => {
  number += 1
  return makeItem(service, `Item ${number}`, { external_id: `item-${number}` })
}

test('requests name items by id, slug or external id, and each item is mapped once', async () => {
  const one = await item()
  const refs = [{ id: one }, { slug: `item-${number}` }, { external_id: `item-${number}` }]
  const made = await makeBeat(service, { component_refs: refs, component_ids: [one, one] })
  expect(made.component_ids).toEqual([one])
  expect(made.component_refs).toEqual([{ id: one, slug: `item-${number}`, external_id: `item-${number}` }])
  const { status, body } = await patch(made.id, { component_refs: [{ id: one, slug: 'other' }] })
  expect([status, body.errors?.[0].path]).toEqual([400, 'component_refs.0'])
})

test('ids and references are one list: the items of both, or of the one that differs from the stored list', async () => {
  const [one, two, three] = [await item(), await item(), await item()]
  const made = await makeBeat(service, { component_ids: [one], component_refs: [{ id: two }] })
  expect(made.component_ids.sort()).toEqual([one, two])
  const fewer = await patch(made.id, { component_ids: [two], component_refs: made.component_refs })
  expect([fewer.body.component_ids, fewer.body.version]).toEqual([[two], 2])
  const more = await patch(made.id, { component_ids: [two], component_refs: [{ id: three }] })
  expect(more.body.component_ids).toEqual([three])
  const [audited] = (await service.admin.get('/admin/audit-events')).body.audit_events
  expect([audited.before.component_ids, audited.after.component_ids]).toEqual([[two], [three]])
})

test('a deleted or archived item is a warning, and a change is still accepted', async () => {
  const [gone, archived, well] = [await item(), await item(), await item()]
  const { id } = await makeBeat(service, { component_ids: [gone, archived, well] })
  const { component_refs: refs } = await read(id)
  await service.admin.del(`/admin/hierarchy/items/${gone}`)
  await service.admin.del(`/admin/hierarchy/items/${archived}?archive=true`)
  // Another item may have taken over the slug.
  await makeItem(service, 'Again', { slug: refs[0].slug })
  const before = await read(id)
  expect(before).toMatchObject({
    ...{ component_ids: [gone, archived, well], component_refs: refs, has_component_warnings: true },
    component_warnings: [
      { reference: refs[0], code: 'missing', message: expect.stringContaining(refs[0].slug) },
      { reference: refs[1], code: 'archived', message: /archive/ },
    ].map(({ message, ...one }) => ({ ...one, message: expect.any(String) })),
  })
  const { beats } = (await service.admin.get(beatsPath)).body
  expect(beats.find((beat: { id: number }) => beat.id === id).has_component_warnings).toBe(true)
  expect((await patch(id, before)).body).toEqual(before)
  expect((await patch(id, { component_ids: [gone, well] })).body.component_ids).toEqual([gone, well])
  expect((await patch(id, { component_ids: [well] })).body).toMatchObject({ has_component_warnings: false })
  const refused = await patch(id, { component_ids: [well, gone] })
  expect(refused.body.errors?.[0].path).toBe('component_ids.1')
})

test('a renamed item appears with its present name', async () => {
  const one = await item()
  const { id } = await makeBeat(service, { component_ids: [one] })
  await service.admin.patch(`/admin/hierarchy/items/${one}`, { slug: 'renamed', external_id: null })
  expect((await read(id)).component_refs).toEqual([{ id: one, slug: 'renamed' }])
})
