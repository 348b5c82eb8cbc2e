import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService()
  item = (await service.admin.post('/admin/hierarchy/items', { name: 'Search' })).body.id
})
afterAll(() => service.close())

const path = '/admin/incidents'
const read = async (id: number) => (await service.admin.get(`${path}/${id}`)).body
const itemStatus = async () => (await service.admin.get(`/admin/hierarchy/items/${item}`)).body.status

async function incidentWith(...statuses: string[]): Promise<{ id: number; updates: number[] }> {
  const { id } = (await service.admin.post(path, { title: 'X', affected_items: [{ id: item }] })).body
  const updates: number[] = []
  for (const status of statuses) {
    updates.push((await service.admin.post(`${path}/${id}/updates`, { message: status, status })).body.id)
  }
  return { id, updates }
}

test('an edited entry changes the one that follows; the newest one changes the incident and its items', async () => {
  const { id, updates } = await incidentWith('partial_outage', 'major_outage')
  const edit = (update: number, body: object) => service.admin.patch(`${path}/${id}/updates/${update}`, body)
  expect((await edit(updates[0]!, { message: 'Less.', status: 'degraded' })).status).toBe(200)
  expect((await read(id)).updates[0].previous_status).toBe('degraded')
  expect((await read(id)).status).toBe('major_outage')
  await edit(updates[1]!, { message: 'Not so bad.', status: 'partial_outage', lifecycle_stage_name: 'Identified' })
  expect(await read(id)).toMatchObject({ status: 'partial_outage', lifecycle_stage: { name: 'Identified' } })
  expect(await itemStatus()).toBe('partial_outage')
  await service.admin.del(`${path}/${id}`)
})

test('without its newest entry the incident is what it was before', async () => {
  const { id, updates } = await incidentWith('partial_outage', 'major_outage')
  await service.admin.del(`${path}/${id}/updates/${updates[1]}`)
  expect(await read(id)).toMatchObject({ status: 'partial_outage', updates: [{ id: updates[0] }] })
  expect(await itemStatus()).toBe('partial_outage')
  await service.admin.del(`${path}/${id}/updates/${updates[0]}`)
  expect(await read(id)).toMatchObject({ status: 'degraded', updates: [] })
  await service.admin.del(`${path}/${id}`)
})

test('an entry from the middle leaves its neighbours in agreement', async () => {
  const { id, updates } = await incidentWith('partial_outage', 'major_outage', 'degraded')
  await service.admin.del(`${path}/${id}/updates/${updates[1]}`)
  const timeline = (await read(id)).updates.map((u: Record<string, string>) => [u.previous_status, u.status])
  expect(timeline).toEqual([
    ['partial_outage', 'degraded'],
    ['degraded', 'partial_outage'],
  ])
  await service.admin.del(`${path}/${id}`)
})

test('neither an edit nor a deletion resolves or reopens', async () => {
  const { id, updates } = await incidentWith('partial_outage')
  await service.admin.post(`${path}/${id}/resolve`)
  const [resolution] = (await read(id)).updates
  const edit = (update: number, status: string) =>
    service.admin.patch(`${path}/${id}/updates/${update}`, { message: 'M', status })
  expect((await edit(updates[0]!, 'resolved')).status).toBe(409)
  expect((await edit(resolution.id, 'degraded')).status).toBe(409)
  expect((await service.admin.del(`${path}/${id}/updates/${resolution.id}`)).status).toBe(409)
  await service.admin.post(`${path}/${id}/reopen`)
  const [opening] = (await read(id)).updates
  expect((await service.admin.del(`${path}/${id}/updates/${opening.id}`)).status).toBe(409)
  await service.admin.del(`${path}/${id}`)
})

test('a status set by a change of the incident stays after edits of earlier entries', async () => {
  const { id, updates } = await incidentWith('partial_outage')
  await service.admin.patch(`${path}/${id}`, { status: 'major_outage', lifecycle_stage_name: 'Monitoring' })
  const edit = (body: object) => service.admin.patch(`${path}/${id}/updates/${updates[0]}`, body)
  const changed = { status: 'major_outage', lifecycle_stage: { name: 'Monitoring' } }
  await edit({ message: 'A typo less.' })
  expect(await read(id)).toMatchObject(changed)
  const { body: next } = await service.admin.post(`${path}/${id}/updates`, { message: 'M' })
  await edit({ message: 'Not so bad.', status: 'degraded' })
  expect((await read(id)).updates[0]).toMatchObject({ id: next.id, previous_status: 'major_outage' })
  await service.admin.del(`${path}/${id}/updates/${updates[0]}`)
  const left = [{ previous_status: 'major_outage' }, { previous_status: 'degraded' }]
  expect(await read(id)).toMatchObject({ ...changed, updates: left })
  await service.admin.del(`${path}/${id}`)
})

const stageOf = async (id: number) => (await read(id)).lifecycle_stage?.name

test('without its first entry the incident is in the stage that it had before that', async () => {
  const { id } = (await service.admin.post(path, { title: 'X', lifecycle_stage_name: 'Monitoring' })).body
  const post = async () =>
    (await service.admin.post(`${path}/${id}/updates`, { message: 'M', lifecycle_stage_name: 'Identified' })).body
  const first = await post()
  expect(first).not.toHaveProperty('previous_lifecycle_stage_id')
  await service.admin.del(`${path}/${id}/updates/${first.id}`)
  expect(await stageOf(id)).toBe('Monitoring')
  await service.admin.patch(`${path}/${id}`, { lifecycle_stage_name: 'Investigating' })
  await service.admin.del(`${path}/${id}/updates/${(await post()).id}`)
  expect(await stageOf(id)).toBe('Investigating')
  await service.admin.del(`${path}/${id}`)
})

test('deleting the newest entry restores the stage of the entries before it, even after their edit or deletion', async () => {
  const { id } = (await service.admin.post(path, { title: 'X' })).body
  const post = async (lifecycle_stage_name: string): Promise<number> =>
    (await service.admin.post(`${path}/${id}/updates`, { message: 'M', lifecycle_stage_name })).body.id
  const [first, second, third] = [await post('Identified'), await post('Resolved'), await post('Monitoring')]
  await service.admin.del(`${path}/${id}/updates/${second}`)
  await service.admin.patch(`${path}/${id}/updates/${first}`, { message: 'M', lifecycle_stage_name: 'Resolved' })
  await service.admin.del(`${path}/${id}/updates/${third}`)
  expect(await stageOf(id)).toBe('Resolved')
  await service.admin.del(`${path}/${id}`)
})

test('an incident of the past without its entries keeps the stage of its backfill', async () => {
  const history = {
    title: 'X',
    started_at: '2026-01-01T10:00:00Z',
    lifecycle_stage_name: 'Monitoring',
    updates: [{ message: 'M', created_at: '2026-01-01T11:00:00Z' }],
  }
  const { id, updates } = (await service.admin.post(`${path}/backfill`, history)).body
  await service.admin.patch(`${path}/${id}/updates/${updates[0].id}`, {
    message: 'M',
    lifecycle_stage_name: 'Identified',
  })
  expect(await stageOf(id)).toBe('Identified')
  await service.admin.del(`${path}/${id}/updates/${updates[0].id}`)
  expect(await stageOf(id)).toBe('Monitoring')
  await service.admin.del(`${path}/${id}`)
})

test('a stage that an entry may go back to is not deleted', async () => {
  const { id } = (await service.admin.post(path, { title: 'X' })).body
  const stages = '/admin/lifecycle-stages/incident'
  const stage = (await service.admin.post(stages, { name: 'Passing' })).body.id
  await service.admin.patch(`${path}/${id}`, { lifecycle_stage_id: stage })
  await service.admin.post(`${path}/${id}/updates`, { message: 'M', lifecycle_stage_name: 'Monitoring' })
  expect((await service.admin.del(`${stages}/${stage}`)).status).toBe(409)
  await service.admin.del(`${path}/${id}`)
  expect((await service.admin.del(`${stages}/${stage}`)).status).toBe(200)
})

test('an entry of another incident is not found', async () => {
  const one = await incidentWith('degraded')
  const other = await incidentWith('degraded')
  const answer = await service.admin.patch(`${path}/${one.id}/updates/${other.updates[0]}`, { message: 'M' })
  expect(answer.status).toBe(404)
})
