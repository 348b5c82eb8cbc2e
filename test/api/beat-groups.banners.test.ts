import { expect, test } from '@jest/globals'
import { bannersOf, goes, look } from '../support/acting.ts'
import { groupsIn, groupTransitions } from '../support/acting-groups.ts'
import { serviceAt } from '../support/frozen-service.ts'
import type { TestService } from '../support/test-service.ts'

/** When the banners of a group, and of members that leave the group, end. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let service: TestService
serviceAt(begun, (made) => {
  service = made
})

const { becomes, illGroup, lookAt, members, leave, post } = groupsIn(() => service)

const bannersOfGroup = async (group: number) =>
  (await service.admin.get(`/admin/banners?state=open&beat_group_id=${group}`)).body.banners.map(
    ({ message }: { message: string }) => message,
  )
/** A banner of the group names its worst member. */
const own = async (id: number) =>
  (await bannersOf(service, id)).filter((message: string) => !message.includes('Payments group'))
const shown = ['"Payments group" is critical: 503 from db-7.internal']

test('the recovery of a group ends its banner, and a resolution of its incident by a person does not', async () => {
  const { group, first, incident } = await illGroup(1)
  await post(`/incidents/${incident}/resolve`)
  await lookAt(group)
  expect(await bannersOfGroup(group)).toEqual(shown)
  await becomes(group, first.id, 'healthy')
  expect(await bannersOfGroup(group)).toEqual([])
  expect((await groupTransitions(service, group)).at(-1)).toMatchObject({
    not_acted_because: `No action: a person has ended the incident "Disruption of Payments" (${incident})`,
  })
})

test('a group that its only ill member has left shows no banner', async () => {
  const { group, first, second } = await illGroup(1)
  expect(await bannersOfGroup(group)).toEqual(shown)
  await members(group, [second.id])
  await lookAt(group)
  expect(await bannersOfGroup(group)).toEqual([])
  // That of the beat is its own, and stays.
  expect(await bannersOf(service, first.id)).toEqual(['"pay-db-7 probe" is critical: 503 from db-7.internal'])
})

test('a group without members shows no banner', async () => {
  const { group, first, second } = await illGroup(1)
  for (const { id } of [second, first]) await leave(group, id)
  await lookAt(group)
  expect(await bannersOfGroup(group)).toEqual([])
})

test('a group without enabled members shows no banner', async () => {
  const { group, first, second } = await illGroup(1)
  for (const { id } of [second, first]) await post(`/beats/${id}/pause`)
  await lookAt(group)
  expect(await bannersOfGroup(group)).toEqual([])
})

test('the banner of a member that left while it was muted ends when the beat acts on its recovery', async () => {
  const { group, first, second } = await illGroup(2)
  await post(`/beats/${first.id}/mute`, { minutes: 10 })
  await leave(group, first.id)
  await lookAt(group)
  await goes(service, first.id, 'healthy')
  expect(await own(first.id)).toHaveLength(1)
  service.now = new Date(begun.getTime() + 20 * 60_000)
  await look(service, 'beat', first.id)
  expect([await own(first.id), (await own(second.id)).length]).toEqual([[], 1])
})
