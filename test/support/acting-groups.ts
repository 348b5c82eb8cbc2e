import { expect } from '@jest/globals'
import type { Stage } from '../../src/domain/beats/stage/stage-rules.ts'
import { BeatGroup } from '../../src/persistence/entities/beat-group.ts'
import { BeatTransition } from '../../src/persistence/entities/beat-transition.ts'
import { actingBeat, incident, incidentsOf, insertGroup, look, see } from './acting.ts'
import type { BeatFields } from './stored-beats.ts'
import type { TestService } from './test-service.ts'

/** Groups of beats for tests. */

/** A group with so many members that are healthy, each with an item of its own. */
async function groupOf(service: TestService, count: number, fields: object = {}, member: BeatFields = {}) {
  const group = await insertGroup(service, fields)
  const members: { id: number; item: number }[] = []
  for (let n = 0; n < count; n += 1) members.push(await actingBeat(service, { beat_group_id: group, ...member }))
  await look(service, 'beat-group', group)
  return { group, members, first: members[0]!, second: members[1]! }
}

/** A member gets a stage, and the processes of the member and of the group take their steps. */
async function becomes(service: TestService, group: number, id: number, stage: Stage): Promise<void> {
  service.now = new Date(service.now.getTime() + 1000)
  await see(service, id, stage)
  await look(service, 'beat', id)
  await look(service, 'beat-group', group)
}

export const storedGroup = (service: TestService, id: number) =>
  service.services.system.em.fork().findOneOrFail(BeatGroup, { id })

export const groupTransitions = (service: TestService, id: number) =>
  service.services.system.em
    .fork()
    .find(BeatTransition, { owner_kind: 'beat_group', owner_id: id }, { orderBy: { number: 'asc' } })

/** The ids of the items that an incident affects. */
export const affected = ({ affected_items }: { affected_items: { id: number }[] }) => affected_items.map(({ id }) => id)

/** The status of an incident, the items that it affects, and the messages of its updates. */
export async function incidentState(service: TestService, id: number) {
  const { status, resolved_at, updates, ...read } = await incident(service, id)
  const messages: string[] = updates.map(({ message }: { message: string }) => message).reverse()
  return { status, open: resolved_at === null, items: affected(read), messages }
}

async function setMembers(service: TestService, group: number, member_monitor_ids: number[]): Promise<void> {
  const { status } = await service.admin.request('PUT', `/admin/beat-groups/${group}/members`, { member_monitor_ids })
  expect(status).toBe(200)
}

/** By a change of the beat, which wakes the group that it leaves. */
async function leave(service: TestService, group: number, id: number, beat_group_id: number | null): Promise<void> {
  const threshold_policies = { critical_rule: { consecutive_failures: 1 } }
  const before = service.woken.length
  const { status } = await service.admin.patch(`/admin/beats/${id}`, { beat_group_id, threshold_policies })
  const woken = service.woken.slice(before).some(({ kind, id }) => kind === 'beat-group' && id === group)
  expect([status, woken]).toEqual([200, true])
}

/** The helpers of group tests, bound to the test service of the file. */
export function groupsIn(service: () => TestService) {
  const make = (count: number, fields: object = {}, member: BeatFields = {}) =>
    groupOf(service(), count, fields, member)
  const turns = (group: number, id: number, stage: Stage) => becomes(service(), group, id, stage)
  const onlyIncident = async (group: number): Promise<number> => {
    const [one, ...more] = await incidentsOf(service(), group, 'group')
    expect(more).toEqual([])
    return one.id
  }
  return {
    groupOf: make,
    becomes: turns,
    onlyIncident,
    lookAt: (group: number) => look(service(), 'beat-group', group),
    members: (group: number, ids: number[]) => setMembers(service(), group, ids),
    leave: (group: number, id: number, to: number | null = null) => leave(service(), group, id, to),
    post: (path: string, body: object = {}) => service().admin.post(`/admin${path}`, body),
    /** A group of two members, of which one or both are critical, and its incident. */
    async illGroup(ill: 1 | 2, fields: object = {}) {
      const made = await make(2, fields)
      await turns(made.group, made.first.id, 'critical')
      if (ill === 2) await turns(made.group, made.second.id, 'critical')
      return { ...made, incident: await onlyIncident(made.group) }
    },
  }
}
