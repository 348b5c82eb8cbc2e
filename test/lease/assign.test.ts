import { afterAll, beforeEach, expect, test } from '@jest/globals'
import { placesFor } from '../../src/domain/beats/checks/shard-rules.ts'
import { reportedTypes } from '../../src/domain/beats/types/index.ts'
import { assignBeats } from '../../src/persistence/system/assignments.ts'
import { changeBeats, insertBeats } from '../support/shards.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeEach(async () => {
  await service?.close()
  service = await openTestService()
})
afterAll(() => service?.close())

const read = <T extends object>(sql: string) => service.services.system.em.fork().execute<T[]>(sql)
const make = (count: number, fields = {}) => insertBeats(service.services, service.page.id, count, fields)
const change = (ids: number[], set: string) => changeBeats(service.services, ids, set)
const inHundreds: typeof placesFor = (taken, count) => placesFor(taken, count, 100)
const assign = (everything = false, now = new Date()) =>
  assignBeats(service.services.system, { now, reported: reportedTypes, placesFor: inHundreds, everything })

const sizes = async (region = 'local') =>
  (
    await read<{ count: number }>(
      `select count(a.beat_id)::int as count from check_shard s
        left join beat_assignment a on a.region = s.region and a.shard = s.number
        where s.region = '${region}' group by s.number order by s.number`,
    )
  ).map(({ count }) => count)

const revisions = async () =>
  new Map(
    (await read<{ number: number; revision: string }>('select number, revision from check_shard')).map((row) => [
      row.number,
      Number(row.revision),
    ]),
  )

test.each<[string, [number, number][], number, number[]]>([
  ['the first', [], 2, [0, 0]],
  [
    'a hole in a low shard',
    [
      [0, 99],
      [1, 50],
    ],
    3,
    [0, 1, 1],
  ],
  [
    'a shard that went away',
    [
      [0, 100],
      [2, 7],
    ],
    1,
    [1],
  ],
  [
    'a new one after full ones',
    [
      [0, 100],
      [1, 100],
    ],
    1,
    [2],
  ],
])('new beats get places in %s', (_, taken, count, places) => {
  expect(inHundreds(new Map(taken), count)).toEqual(places)
})

test('a shard has 500 beats at most', () => {
  expect(placesFor(new Map([[0, 499]]), 2)).toEqual([0, 1])
})

test('250 beats in shards of a hundred have three, free places are filled again, and a shard without beats is deleted', async () => {
  const ids = await make(250)
  expect((await assign())?.map(({ shard }) => shard).sort()).toEqual([0, 1, 2])
  expect(await sizes()).toEqual([100, 100, 50])
  expect(await read('select from beat_change')).toEqual([])
  await change(ids.slice(0, 30), 'enabled = false')
  expect(await assign()).toEqual([])
  expect(await sizes()).toEqual([70, 100, 50])
  await make(40)
  expect(await assign()).toEqual([])
  expect(await sizes()).toEqual([100, 100, 60])
  await change(ids.slice(200), 'enabled = false')
  await change(ids.slice(100, 200), 'enabled = false')
  await assign()
  expect(await sizes()).toEqual([100, 10])
  await service.services.system.em.fork().execute('delete from beat')
  await assign(true)
  expect(await sizes()).toEqual([])
})

test('each change of a beat raises the revision of its shard only', async () => {
  const ids = await make(150)
  await assign()
  const before = await revisions()
  await change([ids[120]!], `name = 'Another'`)
  await assign()
  const after = await revisions()
  expect(after.get(0)).toBe(before.get(0))
  expect(after.get(1)).toBeGreaterThan(before.get(1)!)
})

test('a recreated shard has a new revision', async () => {
  const [id] = await make(1)
  const now = new Date()
  await assign(false, now)
  const before = await revisions()
  await change([id!], 'enabled = false')
  await assign(false, now)
  await change([id!], 'enabled = true')
  expect(await assign(false, new Date(now.getTime() + 1))).toEqual([{ region: 'local', shard: 0 }])
  expect((await revisions()).get(0)).toBeGreaterThan(before.get(0)!)
})

test('concurrent assigners give each beat one place', async () => {
  for (let round = 0; round < 5; round += 1) {
    await make(60)
    await Promise.all(Array.from({ length: 4 }, () => assign(round === 3)))
  }
  while ((await assign()) === undefined);
  expect(await sizes()).toEqual([100, 100, 100])
  const [counted] = await read<{ places: number; beats: number }>(
    'select count(*)::int as places, count(distinct beat_id)::int as beats from beat_assignment',
  )
  expect(counted).toEqual({ places: 300, beats: 300 })
})

test('a change that is not committed yet is left to the next assignment', async () => {
  const [id] = await make(1)
  await assign()
  const other = service.services.system.em.fork()
  await other.begin()
  await other.execute('update beat set enabled = false where id = ?', [id])
  await other.execute('insert into beat_change (page_id, beat_id, created_at) values (?, ?, now())', [
    service.page.id,
    id,
  ])
  await assign(true)
  expect(await sizes()).toEqual([1])
  await other.commit()
  await assign()
  expect(await sizes()).toEqual([])
})

test('a beat is checked from each of its regions', async () => {
  const [id] = await make(3, { regions: ['eu-west', 'us-east'] })
  await assign()
  expect([await sizes('eu-west'), await sizes('us-east')]).toEqual([[3], [3]])
  await change([id!], `regions = '["us-east", "asia"]'`)
  expect(await assign()).toEqual([{ region: 'asia', shard: 0 }])
  expect([await sizes('eu-west'), await sizes('us-east'), await sizes('asia')]).toEqual([[2], [3], [1]])
})

test('reported beats and the beats of a page with disabled beats are in no shard', async () => {
  const [heartbeat, event] = await make(2)
  await change([heartbeat!], `type = 'heartbeat'`)
  await change([event!], `type = 'external_event'`)
  const [muted] = await make(1)
  await change([muted!], `muted_until = now() + interval '1 hour', automation_paused = true`)
  await assign()
  expect(await read('select beat_id from beat_assignment')).toEqual([{ beat_id: muted }])
  await read(
    `insert into page_settings (page_id, "values", version, updated_at)
      values (${service.page.id}, '{"synthetics_enabled": false}', 1, now())`,
  )
  await assign(true)
  expect(await read('select beat_id from beat_assignment')).toEqual([])
})
