import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

interface Stage {
  id: number
  name: string
  is_default: boolean
  version: number
}

describe.each([
  ['incident', ['Investigating', 'Identified', 'Monitoring', 'Resolved'], 3],
  ['maintenance', ['Scheduled', 'In progress', 'Completed', 'Cancelled'], 2],
])('the lifecycle stages of %ss', (kind, names, place) => {
  const path = `/admin/lifecycle-stages/${kind}`
  const stages = async (): Promise<Stage[]> => (await service.admin.get(path)).body.lifecycle_stages
  const named = async (name: string) => (await stages()).find((stage) => stage.name === name)!

  test('are those of a new page, the first being the default', async () => {
    expect((await stages()).map((stage) => stage.name)).toEqual(names)
    expect((await stages()).map((stage) => stage.is_default)).toEqual([true, false, false, false])
  })

  test('grow before those that end a record', async () => {
    const { status, body } = await service.admin.post(path, { name: 'Extra' })
    expect([status, body.display_order]).toEqual([201, place + 1])
    expect((await stages()).map((stage) => stage.name)).toEqual(names.toSpliced(place, 0, 'Extra'))
    expect((await service.admin.post(path, { name: 'eXTRA' })).status).toBe(409)
  })

  test('have one default at a time', async () => {
    const [extra, first] = [await named('Extra'), await named(names[0]!)]
    await service.admin.patch(`${path}/${extra.id}`, { is_default: true })
    expect((await stages()).filter((stage) => stage.is_default).map((stage) => stage.name)).toEqual(['Extra'])
    expect((await named(names[0]!)).version).toBe(first.version + 1)
    expect((await service.admin.del(`${path}/${extra.id}`)).status).toBe(409)
    await service.admin.patch(`${path}/${(await named(names[0]!)).id}`, { is_default: true })
    expect((await service.admin.del(`${path}/${extra.id}`)).status).toBe(200)
    expect((await stages()).map((stage) => stage.name)).toEqual(names)
  })

  test('have no default among those that end a record', async () => {
    const before = await stages()
    const [first, last] = [before[0]!, before.at(-1)!]
    const others = before.slice(1).map(({ id }) => id)
    for (const refused of [
      await service.admin.patch(`${path}/${last.id}`, { is_default: true }),
      await service.admin.request('PUT', `${path}/reorder`, { ids: [...others, first.id] }),
    ]) {
      expect([refused.status, refused.body.error]).toEqual([
        409,
        expect.stringMatching(
          new RegExp(`^".*" cannot be the default of new ${kind}s: the last .* for ${kind}s that have ended`),
        ),
      ])
    }
    expect(await stages()).toEqual(before)
  })

  test('are reordered as a whole', async () => {
    const ids = (await stages()).map((stage) => stage.id)
    const order = [ids[0], ids[2], ids[1], ids[3]]
    expect((await service.admin.request('PUT', `${path}/reorder`, { ids: order })).status).toBe(200)
    expect((await stages()).map((stage) => stage.id)).toEqual(order)
    await service.admin.request('PUT', `${path}/reorder`, { ids })
  })

  test('of the other kind are not found here', async () => {
    const other = kind === 'incident' ? 'maintenance' : 'incident'
    const { id } = (await service.admin.get(`/admin/lifecycle-stages/${other}`)).body.lifecycle_stages[0]
    expect((await service.admin.get(`${path}/${id}`)).status).toBe(404)
  })
})

test('a used stage is archived rather than deleted, stays in history, and comes back with the defaults', async () => {
  const path = '/admin/lifecycle-stages/incident'
  await service.admin.post(path, { name: 'Spare' })
  const stages: Stage[] = (await service.admin.get(path)).body.lifecycle_stages
  const identified = stages.find((stage) => stage.name === 'Identified')!
  const incident = (await service.admin.post('/admin/incidents', { title: 'X', lifecycle_stage_name: 'identified' }))
    .body
  expect((await service.admin.del(`${path}/${identified.id}`)).status).toBe(409)
  expect((await service.admin.patch(`${path}/${identified.id}`, { archived: true })).status).toBe(200)
  expect((await service.admin.get(`/admin/incidents/${incident.id}`)).body.lifecycle_stage.name).toBe('Identified')
  expect(
    (await service.admin.post('/admin/incidents', { title: 'Y', lifecycle_stage_name: 'Identified' })).status,
  ).toBe(400)
  await service.admin.post(`${path}/defaults`)
  expect(
    (await service.admin.post('/admin/incidents', { title: 'Y', lifecycle_stage_name: 'Identified' })).status,
  ).toBe(201)
})

test('a page keeps as many stages as its places need', async () => {
  const path = '/admin/lifecycle-stages/maintenance'
  const { id } = (await service.admin.get(path)).body.lifecycle_stages[2]
  expect((await service.admin.del(`${path}/${id}`)).status).toBe(409)
})
