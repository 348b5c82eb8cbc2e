import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  actingBeat,
  actionsOf,
  actionsOfGroup,
  bannersOf,
  carefully,
  goes,
  incidentsOf,
  insertGroup,
  lastOf,
  look,
  openly,
  setFields,
} from '../support/acting.ts'
import { notesOf } from '../support/incidents.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/** Failed actions: review, retry, and owners without affected items. */

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service?.close())

const decide = (id: number, how: 'approve' | 'reject') => service.admin.post(`/admin/beat-actions/${id}/${how}`)
const policies = (incident_status: string, base: typeof openly | typeof carefully = openly) => ({
  ...{ warning: base.warning, recovery: base.recovery },
  critical: { ...base.critical, incident_status },
})
const setPolicies = async (id: number, action_policies: object, kind = 'beats') =>
  expect((await service.admin.patch(`/admin/${kind}/${id}`, { action_policies })).body).toMatchObject({
    action_policies,
  })

/** A beat that is critical, and whose post failed: its policy names a status that was deleted. */
async function failing() {
  const beat = await actingBeat(service, {
    ...{ action_policies: policies('burning'), threshold_policies: { critical_rule: { consecutive_failures: 1 } } },
  })
  await goes(service, beat.id, 'critical')
  const [action] = await actionsOf(service, beat.id)
  expect(action).toMatchObject({ state: 'failed', mode: 'automatic' })
  return { ...beat, action }
}

const askedFor = async (subject: string) =>
  (await service.admin.get(`/admin/notifications?subject=${subject}`)).body.notifications.filter(
    ({ key }: { key: string }) => key === 'beat.review_requested',
  )

test('a failed automatic action waits for a person, and sends one notification', async () => {
  const { id, action } = await failing()
  for (let n = 0; n < 2; n += 1) await look(service, 'beat', id)
  expect((await decide(action.id, 'approve')).body.action.state).toBe('failed')
  expect(await askedFor(`beat:${id}`)).toMatchObject([
    { data: { beat_action_id: action.id, kind: 'open', reason: expect.stringContaining('burning') } },
  ])
})

test('a failed action can be rejected, and is not retried then', async () => {
  const { id, action } = await failing()
  expect((await decide(action.id, 'reject')).body).toMatchObject({ state: 'rejected' })
  await setPolicies(id, policies('partial_outage'))
  await look(service, 'beat', id)
  expect(await incidentsOf(service, id)).toEqual([])
  expect((await decide(action.id, 'approve')).status).toBe(409)
})

test('the approval of a failed action posts a draft from the policies of now', async () => {
  const { id, action, item } = await failing()
  await setPolicies(id, policies('partial_outage', carefully))
  // By now it is to be reviewed: its process leaves it to those who review.
  await look(service, 'beat', id)
  expect(await incidentsOf(service, id)).toEqual([])
  expect((await decide(action.id, 'approve')).body).toMatchObject({
    action: { state: 'executed', draft: { incident_status: 'partial_outage' } },
    incident: { status: 'partial_outage', affected_items: [{ id: item }] },
  })
  await goes(service, id, 'healthy')
  expect(await actionsOf(service, id)).toMatchObject([{ state: 'executed' }, { kind: 'resolve' }])
})

test('the approval of a failed action gives a reason if the policies set no post any more', async () => {
  const { id, action } = await failing()
  await setPolicies(id, { recovery: openly.recovery })
  await look(service, 'beat', id)
  expect((await decide(action.id, 'approve')).body.action).toMatchObject({
    ...{
      state: 'failed',
      reason: `Nothing to post: the action policies of the beat "pay-db-7 probe" (${id}) set no public post for critical.`,
    },
  })
})

test('the process retries a failed action once the policies give another draft, and not before', async () => {
  const { id, action } = await failing()
  const tries = async () => (await actionsOf(service, id))[0].version
  await look(service, 'beat', id)
  expect(await tries()).toBe(1)
  await setPolicies(id, { ...policies('partial_outage'), warning: {} })
  await look(service, 'beat', id)
  expect(await incidentsOf(service, id)).toMatchObject([{ status: 'partial_outage' }])
  expect(await actionsOf(service, id)).toMatchObject([{ id: action.id, state: 'executed', version: 2 }])
  expect((await lastOf(service, id)).done.at(-1)).toBe('incident "Disruption of Payments" (N) opened')
  expect((await notesOf(service, `beat:${id}`)).at(-1)).toMatch(
    /^transition 2, retry: incident "Disruption of Payments" \(\d+\) opened$/,
  )
  await look(service, 'beat', id)
  expect([await incidentsOf(service, id), await tries()]).toEqual([[expect.anything()], 2])
})

test.each([
  ['deleted', ''],
  ['in the archive', '?archive=true'],
])(
  'a beat whose items are all %s opens no incident, shows its banner, and still resolves an open incident',
  async (_where, how) => {
    const { id, item } = await actingBeat(service)
    await service.admin.del(`/admin/hierarchy/items/${item}${how}`)
    await goes(service, id, 'critical')
    expect(await lastOf(service, id)).toEqual({
      ...{ stage: 'critical', done: ['banner N shown'] },
      because: `No public action: the beat "pay-db-7 probe" (${id}) has no affected item and no affected_items_freetext`,
    })
    expect([await actionsOf(service, id), (await bannersOf(service, id)).length]).toEqual([[], 1])
    await setFields(service, 'beat', id, `affected_items_freetext = 'the shop'`)
    await goes(service, id, 'healthy', 'critical')
    await setFields(service, 'beat', id, 'affected_items_freetext = null')
    await goes(service, id, 'warning', 'healthy')
    expect(await incidentsOf(service, id)).toMatchObject([{ title: 'Disruption of the shop', status: 'resolved' }])
  },
)

describe('a group', () => {
  async function failingGroup() {
    const group = await insertGroup(service, { action_policies: policies('burning') })
    const { id } = await actingBeat(service, { beat_group_id: group })
    await goes(service, id, 'critical')
    await look(service, 'beat-group', group)
    const [action] = await actionsOfGroup(service, group)
    expect(action.state).toBe('failed')
    expect(await askedFor(`beat_group:${group}`)).toHaveLength(1)
    return { group, action }
  }

  test('retries a failed action, too', async () => {
    const { group } = await failingGroup()
    await setPolicies(group, policies('partial_outage'), 'beat-groups')
    await look(service, 'beat-group', group)
    expect(await incidentsOf(service, group, 'group')).toMatchObject([{ status: 'partial_outage' }])
  })

  test('gets an incident with the items of its ill members by the approval of a failed action', async () => {
    const { group, action } = await failingGroup()
    await setPolicies(group, policies('partial_outage', carefully), 'beat-groups')
    expect((await decide(action.id, 'approve')).body).toMatchObject({
      incident: { status: 'partial_outage', title: 'Disruption of Payments', affected_items: [expect.anything()] },
    })
  })
})
