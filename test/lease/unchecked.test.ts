import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createChores } from '../../activities/chores.ts'
import { markUnchecked } from '../../src/domain/beats/stage/stage-unknown.ts'
import { insertBeats } from '../support/shards.ts'
import { inPage, storedBeat } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
beforeEach(async () => {
  for (const table of ['beat', 'beat_result', 'beat_assignment', 'process_note']) await run(`delete from ${table}`)
})
afterAll(() => service?.close())

const because = 'no worker in region mars'
const run = <T extends object>(sql: string) => service.services.system.em.fork().execute<T[]>(sql)

/** A beat that was created long ago, with a check each minute and a timeout of ten seconds. */
async function make(regions: string[]): Promise<number> {
  const [id] = await insertBeats(service.services, service.page.id, 1, {
    regions,
    interval_seconds: 60,
    timeout_ms: 10_000,
  })
  await run(`update beat set updated_at = now() - interval '1 day' where id = ${id}`)
  return id!
}

/** Stores a check that began this many seconds ago, and was due shortly before. */
const checked = (id: number, region: string, ago: number) =>
  run(
    `insert into beat_result (beat_id, due_at, region, page_id, at, ok, evidence)
      select ${id}, now() - ${ago + 1.5} * interval '1 second', '${region}', ${service.page.id},
        now() - ${ago} * interval '1 second', false, ''`,
  )
const later = (seconds: number) =>
  run(
    `with gone as (delete from beat_result returning *), noted as (
        update process_note set at = at - ${seconds} * interval '1 second')
      insert into beat_result (beat_id, due_at, region, page_id, at, ok, evidence)
        select beat_id, due_at - ${seconds} * interval '1 second', region, page_id,
          at - ${seconds} * interval '1 second', ok, evidence from gone`,
  )

const mark = (id: number, region = 'mars') =>
  inPage(service, (work) => markUnchecked(work, id, { region, because: `no worker in region ${region}` }))
const isUnknown = async (id: number) => (await storedBeat(service, id)).unknown_since !== null
const notes = async (id: number) =>
  (
    await run<{ message: string }>(
      `select message from process_note where workflow_id = 'beat:${id}' and cause like '%region%' order by id`,
    )
  ).map(({ message }) => message)

const PARTLY = `Region mars does not check the beat (${because}). The beat is still checked from local.`

test('the stage is known while a result from any region counts, and unknown after that', async () => {
  const id = await make(['mars', 'local'])
  // Three intervals and the timeout: as long as a result counts in evaluations.
  await checked(id, 'local', 170)
  const next = await mark(id)
  expect(await isUnknown(id)).toBe(false)
  expect(next!.getTime() - Date.now()).toBeLessThanOrEqual(20_000)
  await later(30)
  expect(await mark(id)).toBeNull()
  expect(await storedBeat(service, id)).toMatchObject({ unknown_because: because, unknown_since: expect.any(Date) })
  expect(await notes(id)).toEqual([PARTLY, `No region checks the beat (${because}). The stage is unknown.`])
})

test('no note is written while a result of the region itself counts', async () => {
  const id = await make(['mars', 'local'])
  await checked(id, 'local', 5)
  await checked(id, 'mars', 100)
  expect((await mark(id))!.getTime() - Date.now()).toBeLessThanOrEqual(90_000)
  expect(await notes(id)).toEqual([])
  await later(100)
  await checked(id, 'local', 5)
  await mark(id)
  expect(await notes(id)).toEqual([PARTLY])
})

test('a region without a worker causes one note, and another note the next time', async () => {
  const id = await make(['mars', 'venus', 'local'])
  await checked(id, 'local', 5)
  for (let round = 0; round < 3; round += 1) for (const region of ['mars', 'venus']) await mark(id, region)
  const first = [PARTLY, PARTLY.replaceAll('mars', 'venus')]
  expect(await notes(id)).toEqual(first)
  await later(600)
  await checked(id, 'mars', 300)
  await checked(id, 'local', 5)
  for (let round = 0; round < 3; round += 1) for (const region of ['mars', 'venus']) await mark(id, region)
  expect(await notes(id)).toEqual([...first, PARTLY])
})

test('the other regions of a new beat have time for a first check', async () => {
  const [one, many] = [await make(['mars']), await make(['mars', 'local'])]
  await run(`update beat set updated_at = now()`)
  expect(await mark(one)).toBeNull()
  expect((await mark(many))!.getTime() - Date.now()).toBeLessThanOrEqual(70_000)
  expect([await isUnknown(one), await isUnknown(many)]).toEqual([true, false])
  await run(`update beat set updated_at = now() - interval '71 seconds'`)
  expect(await mark(many)).toBeNull()
  expect(await isUnknown(many)).toBe(true)
})

test('a beat that joins the shard of an unserved region becomes unknown within a minute', async () => {
  const { regionUnserved } = createChores(service.services)
  const shard = { region: 'mars', shard: 0 }
  const assign = (id: number) => run(`insert into beat_assignment (beat_id, region, shard) values (${id}, 'mars', 0)`)
  const first = await make(['mars'])
  await assign(first)
  const wait = await regionUnserved(shard)
  expect(await isUnknown(first)).toBe(true)
  expect(wait).toBeGreaterThanOrEqual(30_000)
  expect(wait).toBeLessThanOrEqual(60_000)
  const second = await make(['mars'])
  await assign(second)
  await regionUnserved(shard)
  expect(await isUnknown(second)).toBe(true)
  expect(await notes(first)).toEqual([`No region checks the beat (${because}). The stage is unknown.`])
})
