import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

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
  const stages = async (): Promise<Stage[]> => (await house.admin.get(path)).body.lifecycle_stages
  const named = async (name: string) => (await stages()).find((stage) => stage.name === name)!

  test('are those of a new page, the first being the default', async () => {
    expect((await stages()).map((stage) => stage.name)).toEqual(names)
    expect((await stages()).map((stage) => stage.is_default)).toEqual([true, false, false, false])
  })

  test('grow before those that end a record', async () => {
    const { status, body } = await house.admin.post(path, { name: 'Extra' })
    expect([status, body.display_order]).toEqual([201, place + 1])
    expect((await stages()).map((stage) => stage.name)).toEqual(names.toSpliced(place, 0, 'Extra'))
    expect((await house.admin.post(path, { name: 'eXTRA' })).status).toBe(409)
  })

  test('have one default at a time', async () => {
    const [extra, first] = [await named('Extra'), await named(names[0]!)]
    await house.admin.patch(`${path}/${extra.id}`, { is_default: true })
    expect((await stages()).filter((stage) => stage.is_default).map((stage) => stage.name)).toEqual(['Extra'])
    expect((await named(names[0]!)).version).toBe(first.version + 1)
    expect((await house.admin.del(`${path}/${extra.id}`)).status).toBe(409)
    await house.admin.patch(`${path}/${(await named(names[0]!)).id}`, { is_default: true })
    expect((await house.admin.del(`${path}/${extra.id}`)).status).toBe(200)
    expect((await stages()).map((stage) => stage.name)).toEqual(names)
  })

  test('are reordered as a whole', async () => {
    const ids = (await stages()).map((stage) => stage.id)
    const order = [ids[0], ids[2], ids[1], ids[3]]
    expect((await house.admin.request('PUT', `${path}/reorder`, { ids: order })).status).toBe(200)
    expect((await stages()).map((stage) => stage.id)).toEqual(order)
    await house.admin.request('PUT', `${path}/reorder`, { ids })
  })

  test('of the other kind are not found here', async () => {
    const other = kind === 'incident' ? 'maintenance' : 'incident'
    const { id } = (await house.admin.get(`/admin/lifecycle-stages/${other}`)).body.lifecycle_stages[0]
    expect((await house.admin.get(`${path}/${id}`)).status).toBe(404)
  })
})

test('a used stage is archived rather than deleted, stays in history, and comes back with the defaults', async () => {
  const path = '/admin/lifecycle-stages/incident'
  await house.admin.post(path, { name: 'Spare' })
  const stages: Stage[] = (await house.admin.get(path)).body.lifecycle_stages
  const identified = stages.find((stage) => stage.name === 'Identified')!
  const incident = (await house.admin.post('/admin/incidents', { title: 'X', lifecycle_stage_name: 'identified' })).body
  expect((await house.admin.del(`${path}/${identified.id}`)).status).toBe(409)
  expect((await house.admin.patch(`${path}/${identified.id}`, { archived: true })).status).toBe(200)
  expect((await house.admin.get(`/admin/incidents/${incident.id}`)).body.lifecycle_stage.name).toBe('Identified')
  expect((await house.admin.post('/admin/incidents', { title: 'Y', lifecycle_stage_name: 'Identified' })).status).toBe(
    400,
  )
  await house.admin.post(`${path}/defaults`)
  expect((await house.admin.post('/admin/incidents', { title: 'Y', lifecycle_stage_name: 'Identified' })).status).toBe(
    201,
  )
})

test('a page keeps as many stages as its places need', async () => {
  const path = '/admin/lifecycle-stages/maintenance'
  const { id } = (await house.admin.get(path)).body.lifecycle_stages[2]
  expect((await house.admin.del(`${path}/${id}`)).status).toBe(409)
})
