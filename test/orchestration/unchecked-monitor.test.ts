import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { observeResults } from '../../src/domain/beats/stage/evaluate-results.ts'
import { startUncheckedMonitor } from '../../src/orchestration/unchecked-monitor.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { insertBeats } from '../support/shards.ts'
import { inPage, storedBeat } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let monitor: ReturnType<typeof startUncheckedMonitor>
beforeAll(async () => {
  service = await openTestService()
  monitor = startUncheckedMonitor({ services: service.services, logger: createLogger('silent', 'test') })
})
beforeEach(async () => {
  for (const table of ['beat', 'beat_result', 'beat_assignment', 'process_note']) await run(`delete from ${table}`)
})
afterAll(async () => {
  await monitor?.close()
  await service?.close()
})

const run = <T extends object>(sql: string) => service.services.system.em.fork().execute<T[]>(sql)

/** A healthy beat with a check each minute and a timeout of ten seconds: a result counts for 190 s. */
async function make(changes = '', pageId = service.page.id): Promise<number> {
  const [id] = await insertBeats(service.services, pageId, 1, { interval_seconds: 60, timeout_ms: 10_000 })
  await run(`update beat set current_stage = 'healthy', updated_at = now() - interval '1 day' where id = ${id}`)
  if (changes) await run(`update beat set ${changes} where id = ${id}`)
  return id!
}

const checked = (id: number, region: string, ago: number) =>
  run(
    `insert into beat_result (beat_id, due_at, region, page_id, at, ok, evidence)
      select id, now() - ${ago} * interval '1 second', '${region}', page_id, now() - ${ago} * interval '1 second', true, ''
      from beat where id = ${id}`,
  )
const shown = async (id: number) => (await service.admin.get(`/admin/beats/${id}`)).body
const LATELY = 'no worker has checked the beat lately'

test('the stage of a beat that no worker checks becomes unknown on every page, with one note', async () => {
  const [ours, theirs] = [await make(), await make('', service.otherPage.id)]
  for (const id of [ours, theirs]) await checked(id, 'local', 260)
  await monitor.now()
  await monitor.now()
  for (const id of [ours, theirs]) expect(await storedBeat(service, id)).toMatchObject({ unknown_because: LATELY })
  expect(await shown(ours)).toMatchObject({ current_stage: null, unknown_because: LATELY })
  const notes = await run<{ message: string }>(`select message from process_note where workflow_id = 'beat:${ours}'`)
  expect(notes).toEqual([{ message: `No region checks the beat (${LATELY}). The stage is unknown.` }])

  await checked(ours, 'local', 0)
  await inPage(service, (work) => observeResults(work, ours))
  const after = await shown(ours)
  expect(after.current_stage).toBe('healthy')
  expect(after).not.toHaveProperty('unknown_because')
})

test('the stage of many beats without a worker becomes unknown', async () => {
  await insertBeats(service.services, service.page.id, 1001)
  await run(`update beat set current_stage = 'healthy', updated_at = now() - interval '1 day'`)
  await monitor.now()
  expect(await run('select id from beat where unknown_since is null')).toEqual([])
})

test.each([
  ['that is checked', async () => checked(await make(), 'local', 240)],
  ['that is checked from elsewhere', async () => checked(await make(`regions = '["local", "eu"]'`), 'eu', 240)],
  ['that was changed just now', () => make('updated_at = now()')],
  ['whose stage was unknown', () => make('current_stage = null')],
  ['of which it is known', () => make(`unknown_since = now(), unknown_because = 'no worker in region local'`)],
  ['that the other side reports', () => make(`type = 'heartbeat'`)],
  [
    'of a page that has its beats switched off',
    async () => {
      await make()
      await service.admin.patch('/admin/settings', { synthetics_enabled: false })
    },
  ],
  ['that is paused', () => make('enabled = false')],
])('no note is written about a beat %s', async (_title, arrange) => {
  await arrange()
  await monitor.now()
  await service.admin.patch('/admin/settings', { synthetics_enabled: true })
  expect(await run(`select id from process_note where message not like '%synthetics_enabled%'`)).toEqual([])
  const because = `no worker in region local`
  expect(await run(`select id from beat where unknown_because <> '${because}'`)).toEqual([])
})
