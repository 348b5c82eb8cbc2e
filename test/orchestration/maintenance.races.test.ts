import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { keysOf, makeItem, statusOf } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const planned = new Date('2026-11-21T09:00:00.000Z')
const start = new Date('2026-11-21T10:00:00.000Z')
const end = new Date('2026-11-21T11:00:00.000Z')
const later = new Date('2026-11-21T20:00:00.000Z')

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: planned })
})
afterAll(() => service?.close())

const path = '/admin/maintenances'

async function create() {
  service.now = planned
  const item = await makeItem(service, 'Database')
  const window = { scheduled_start_time: start.toISOString(), scheduled_end_time: end.toISOString() }
  const body = { title: 'Upgrade', affected_items: [{ id: item }], auto_transition_enabled: true, ...window }
  return { id: (await service.admin.post(path, body)).body.id as number, item }
}

const look = (id: number, now: Date) =>
  takeStep(service.services, steps.maintenance, { kind: 'maintenance', pageId: service.page.id, id, now })
const post = (id: number, what: string) => service.admin.post(`${path}/${id}/${what}`)
const change = (id: number, said: object) => service.admin.patch(`${path}/${id}`, { title: 'Upgrade', ...said })
const read = async (id: number) => (await service.admin.get(`${path}/${id}`)).body
const turns = async (id: number) =>
  (await read(id)).updates.map((update: { status: string }) => update.status).reverse()

/** The first of two concurrent changes wins, and the other has no effect. */
const races: [string, (id: number) => Promise<unknown>, string[][]][] = [
  ['starting by hand', (id) => post(id, 'start'), [['in_progress']]],
  ['cancelling', (id) => post(id, 'cancel'), [['cancelled'], ['in_progress', 'cancelled']]],
  ['completing by hand', (id) => post(id, 'complete'), [['completed'], ['in_progress', 'completed']]],
  ['switching it off', (id) => change(id, { auto_transition_enabled: false }), [[], ['in_progress']]],
  [
    'moving it',
    (id) =>
      change(id, {
        scheduled_start_time: later.toISOString(),
        scheduled_end_time: null,
        auto_transition_enabled: false,
      }),
    [[], ['in_progress']],
  ],
  ['deleting it', (id) => service.admin.del(`${path}/${id}`), []],
]

test.each(races)(
  'the start by the schedule and %s at the same moment have one effect',
  async (_what, act, outcomes) => {
    for (let round = 0; round < 6; round += 1) {
      const { id, item } = await create()
      service.now = start
      const looks = () => [look(id, start), look(id, start)]
      await Promise.all(round % 2 === 0 ? [act(id), ...looks()] : [...looks(), act(id)])
      if (outcomes.length === 0) {
        expect([(await service.admin.get(`${path}/${id}`)).status, await statusOf(service, item)]).toEqual([
          404,
          'operational',
        ])
        continue
      }
      expect(outcomes).toContainEqual(await turns(id))
      const { status } = await read(id)
      expect(await statusOf(service, item)).toBe(status === 'in_progress' ? 'maintenance' : 'operational')
      const keys = (await keysOf(service, id)).filter((key) => key !== 'maintenance.updated')
      expect(new Set(keys).size).toBe(keys.length)
      expect(keys.includes('maintenance.started')).toBe((await turns(id)).includes('in_progress'))
    }
  },
)

test('concurrent late steps start and complete a maintenance once', async () => {
  const { id, item } = await create()
  const answers = await Promise.all(Array.from({ length: 6 }, () => look(id, end)))
  expect(answers).toEqual(Array(6).fill({ done: true, says: 'nothing: the maintenance is completed' }))
  expect(await turns(id)).toEqual(['in_progress', 'completed'])
  expect(await keysOf(service, id)).toEqual(['maintenance.scheduled', 'maintenance.started', 'maintenance.completed'])
  expect(await statusOf(service, item)).toBe('operational')
})

test('a change right before the timer counts', async () => {
  const { id } = await create()
  service.now = new Date(start.getTime() - 1)
  await change(id, { scheduled_start_time: new Date(start.getTime() + 60_000).toISOString() })
  expect(await look(id, start)).toMatchObject({ done: false, until: new Date(start.getTime() + 60_000) })
  expect(await turns(id)).toEqual([])
})
