import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { beatsPath, makeBeat } from '../support/beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const changeBeat = (id: number, body: object) => service.admin.patch(`${beatsPath}/${id}`, body)

describe('a group whose members change', () => {
  const path = '/admin/beat-groups'
  const versionOf = async (id: number) => (await service.admin.get(`${path}/${id}`)).body.version

  test('gets another version by each operation that changes them', async () => {
    const group = (await service.admin.post(path, { name: 'G' })).body.id
    const other = (await service.admin.post(path, { name: 'H' })).body.id
    const { id } = await makeBeat(service, { beat_group_id: group })
    expect([await versionOf(group), await versionOf(other)]).toEqual([2, 1])
    await changeBeat(id, { beat_group_id: other })
    expect([await versionOf(group), await versionOf(other)]).toEqual([3, 2])
    await changeBeat(id, { name: 'Another' })
    expect([await versionOf(group), await versionOf(other)]).toEqual([3, 2])
    const stale = await service.admin.request('PUT', `${path}/${other}/members`, { member_monitor_ids: [], version: 1 })
    expect([stale.status, stale.body.current_version]).toEqual([409, 2])
    await service.admin.del(`${beatsPath}/${id}`)
    expect(await versionOf(other)).toBe(3)
  })

  test('accepts many concurrent members', async () => {
    const beat_group_id = (await service.admin.post(path, { name: 'G' })).body.id
    const made = await Promise.all(Array.from({ length: 8 }, () => makeBeat(service, { beat_group_id })))
    expect(made).toHaveLength(8)
    expect(await versionOf(beat_group_id)).toBe(9)
  })
})
