import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { workflowIdOf } from '../../workflows/processes.ts'
import { changesOf, makeBeat } from '../support/beats.ts'
import { type House, openHouse } from '../support/house.ts'
import { makeItem } from '../support/maintenances.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const path = '/admin/beat-groups'

let house: House
let item: number
beforeAll(async () => {
  house = await openHouse({ frozenAt: now })
  item = await makeItem(house, 'Database')
})
afterAll(() => house.close())

const create = (body: object = {}) => house.admin.post(path, { name: 'Checkout', ...body })
const make = async (body: object = {}) => {
  const made = await create(body)
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  return made.body
}
const patch = (id: number, body: object) => house.admin.patch(`${path}/${id}`, body)
const members = (id: number, ids: number[], more: object = {}) =>
  house.admin.request('PUT', `${path}/${id}/members`, { member_monitor_ids: ids, ...more })
const beat = async (id: number) => (await house.admin.get(`/admin/beats/${id}`)).body
const post = { critical: { public_post: true } }

describe('members', () => {
  test('are the beats of the last request, and each beat names its group', async () => {
    const [one, two, three] = [await makeBeat(house), await makeBeat(house), await makeBeat(house)]
    const { id } = await make({ member_monitor_ids: [one.id, two.id] })
    house.rung.length = 0
    const { status, body } = await members(id, [three.id, two.id, three.id])
    expect([status, body.member_monitor_ids, body.version]).toEqual([200, [two.id, three.id], 2])
    const groups = [await beat(one.id), await beat(two.id), await beat(three.id)]
    expect(groups.map(({ beat_group_id, version }) => [beat_group_id, version])).toEqual([
      [undefined, 3],
      [id, 2],
      [id, 2],
    ])
    const woken = house.rung.map(workflowIdOf).sort()
    expect(woken).toEqual([`beat-group:${id}`, `beat:${one.id}`, `beat:${three.id}`].sort())
    expect([await changesOf(house, one.id), await changesOf(house, two.id)]).toEqual([3, 2])
    const [audited] = (await house.admin.get('/admin/audit-events')).body.audit_events
    expect(audited.before.member_monitor_ids).toEqual([one.id, two.id])
    expect((await members(id, [two.id, three.id])).body.version).toBe(2)
    expect((await members(id, [], { version: 1 })).body.current_version).toBe(2)
    const listed = (await house.admin.get(`/admin/beats?beat_group_id=${id}`)).body.beats
    expect(listed.map((one: { id: number }) => one.id)).toEqual([three.id, two.id])
  })

  test('of another group are refused by name, and nothing changes', async () => {
    const [one, two] = [await makeBeat(house, { name: 'Taken' }), await makeBeat(house)]
    const other = await make({ name: 'Other', member_monitor_ids: [one.id] })
    const { id } = await make()
    const refused = await members(id, [two.id, one.id])
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(refused.body.error).toContain(`"Taken" (${one.id}) is a member of the group "Other" (${other.id})`)
    expect([(await beat(one.id)).beat_group_id, (await beat(two.id)).beat_group_id]).toEqual([other.id, undefined])
  })

  test('also join and leave by a change of the beat', async () => {
    const [from, to] = [await make(), await make()]
    const { id } = await makeBeat(house, { beat_group_id: from.id })
    house.rung.length = 0
    await house.admin.patch(`/admin/beats/${id}`, { beat_group_id: to.id })
    const woken = house.rung.map(workflowIdOf).sort()
    expect(woken).toEqual([`beat-group:${from.id}`, `beat-group:${to.id}`, `beat:${id}`].sort())
    expect((await house.admin.get(`${path}/${to.id}`)).body.member_monitor_ids).toEqual([id])
    await house.admin.patch(`/admin/beats/${id}`, { beat_group_id: null })
    expect((await house.admin.get(`${path}/${to.id}`)).body.members).toEqual([])
  })

  test('provide the affected items and the freetext of a group that has none of its own', async () => {
    const named = await makeBeat(house, { affected_items_freetext: 'the old site' })
    const mapped = await makeBeat(house, { component_ids: [item] })
    const { id } = await make({ action_policies: post, member_monitor_ids: [mapped.id] })
    expect((await members(id, [named.id])).status).toBe(200)
    expect((await members(id, [])).body.errors?.[0].path).toBe('component_ids')
    // A member that is deleted takes it away, which is no reason to refuse another change.
    await house.admin.del(`/admin/beats/${named.id}`)
    const left = (await house.admin.get(`${path}/${id}`)).body
    expect((await patch(id, { ...left, name: 'Other' })).status).toBe(200)
    expect((await patch(id, { action_policies: { warning: { public_post: true } } })).status).toBe(400)
  })
})

test('a beat does not join a group during the deletion of the group', async () => {
  const { id } = await make()
  const { id: joining } = await makeBeat(house)
  const [joined, deleted] = await Promise.all([
    house.admin.patch(`/admin/beats/${joining}`, { beat_group_id: id }),
    house.admin.del(`${path}/${id}`),
  ])
  expect([200, 400]).toContain(joined.status)
  expect(deleted.status).toBe(200)
  expect((await beat(joining)).beat_group_id).toBe(undefined)
})

test('one of several concurrent requests for the same beat succeeds', async () => {
  const { id: wanted } = await makeBeat(house)
  const groups = [await make(), await make(), await make(), await make()]
  const answers = await Promise.all(groups.map(({ id }) => members(id, [wanted])))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const winner = answers.find(({ status }) => status === 200)!.body.id
  expect((await beat(wanted)).beat_group_id).toBe(winner)
})
