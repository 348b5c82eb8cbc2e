import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { workflowIdOf } from '../../workflows/processes.ts'
import { changesOf, makeBeat } from '../support/beats.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const now = new Date('2026-11-21T12:00:00.000Z')
const path = '/admin/beat-groups'

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: now })
  item = await makeItem(service, 'Database')
})
afterAll(() => service.close())

const create = (body: object = {}) => service.admin.post(path, { name: 'Checkout', ...body })
const make = async (body: object = {}) => {
  const made = await create(body)
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  return made.body
}
const patch = (id: number, body: object) => service.admin.patch(`${path}/${id}`, body)
const members = (id: number, ids: number[], more: object = {}) =>
  service.admin.request('PUT', `${path}/${id}/members`, { member_monitor_ids: ids, ...more })
const beat = async (id: number) => (await service.admin.get(`/admin/beats/${id}`)).body
const post = { critical: { public_post: true } }

describe('members', () => {
  test('are the beats of the last request, and each beat names its group', async () => {
    const [one, two, three] = [await makeBeat(service), await makeBeat(service), await makeBeat(service)]
    const { id } = await make({ member_monitor_ids: [one.id, two.id] })
    service.woken.length = 0
    const { status, body } = await members(id, [three.id, two.id, three.id])
    expect([status, body.member_monitor_ids, body.version]).toEqual([200, [two.id, three.id], 2])
    const groups = [await beat(one.id), await beat(two.id), await beat(three.id)]
    expect(groups.map(({ beat_group_id, version }) => [beat_group_id, version])).toEqual([
      [undefined, 3],
      [id, 2],
      [id, 2],
    ])
    const woken = service.woken.map(workflowIdOf).sort()
    expect(woken).toEqual([`beat-group:${id}`, `beat:${one.id}`, `beat:${three.id}`].sort())
    expect([await changesOf(service, one.id), await changesOf(service, two.id)]).toEqual([3, 2])
    const [audited] = (await service.admin.get('/admin/audit-events')).body.audit_events
    expect(audited.before.member_monitor_ids).toEqual([one.id, two.id])
    expect((await members(id, [two.id, three.id])).body.version).toBe(2)
    expect((await members(id, [], { version: 1 })).body.current_version).toBe(2)
    const listed = (await service.admin.get(`/admin/beats?beat_group_id=${id}`)).body.beats
    expect(listed.map((one: { id: number }) => one.id)).toEqual([three.id, two.id])
  })

  test('of another group are refused by name, and nothing changes', async () => {
    const [one, two] = [await makeBeat(service, { name: 'Taken' }), await makeBeat(service)]
    const other = await make({ name: 'Other', member_monitor_ids: [one.id] })
    const { id } = await make()
    const refused = await members(id, [two.id, one.id])
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(refused.body.error).toContain(`"Taken" (${one.id}) is a member of the group "Other" (${other.id})`)
    expect([(await beat(one.id)).beat_group_id, (await beat(two.id)).beat_group_id]).toEqual([other.id, undefined])
  })

  test('also join and leave by a change of the beat', async () => {
    const [from, to] = [await make(), await make()]
    const { id } = await makeBeat(service, { beat_group_id: from.id })
    service.woken.length = 0
    await service.admin.patch(`/admin/beats/${id}`, { beat_group_id: to.id })
    const woken = service.woken.map(workflowIdOf).sort()
    expect(woken).toEqual([`beat-group:${from.id}`, `beat-group:${to.id}`, `beat:${id}`].sort())
    expect((await service.admin.get(`${path}/${to.id}`)).body.member_monitor_ids).toEqual([id])
    await service.admin.patch(`/admin/beats/${id}`, { beat_group_id: null })
    expect((await service.admin.get(`${path}/${to.id}`)).body.members).toEqual([])
  })

  test('provide the affected items and the freetext of a group that has none of its own', async () => {
    const named = await makeBeat(service, { affected_items_freetext: 'the old site' })
    const mapped = await makeBeat(service, { component_ids: [item] })
    const { id } = await make({ action_policies: post, member_monitor_ids: [mapped.id] })
    expect((await members(id, [named.id])).status).toBe(200)
    expect((await members(id, [])).body.errors?.[0].path).toBe('component_ids')
    // A member that is deleted takes it away, which is no reason to refuse another change.
    await service.admin.del(`/admin/beats/${named.id}`)
    const left = (await service.admin.get(`${path}/${id}`)).body
    expect((await patch(id, { ...left, name: 'Other' })).status).toBe(200)
    expect((await patch(id, { action_policies: { warning: { public_post: true } } })).status).toBe(400)
  })
})

test('a beat does not join a group during the deletion of the group', async () => {
  const { id } = await make()
  const { id: joining } = await makeBeat(service)
  const [joined, deleted] = await Promise.all([
    service.admin.patch(`/admin/beats/${joining}`, { beat_group_id: id }),
    service.admin.del(`${path}/${id}`),
  ])
  expect([200, 400]).toContain(joined.status)
  expect(deleted.status).toBe(200)
  expect((await beat(joining)).beat_group_id).toBe(undefined)
})

test('one of several concurrent requests for the same beat succeeds', async () => {
  const { id: wanted } = await makeBeat(service)
  const groups = [await make(), await make(), await make(), await make()]
  const answers = await Promise.all(groups.map(({ id }) => members(id, [wanted])))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const winner = answers.find(({ status }) => status === 200)!.body.id
  expect((await beat(wanted)).beat_group_id).toBe(winner)
})
