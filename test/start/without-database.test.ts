import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { flakyWay } from '../api/support/flaky-database.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'
import { openGround, start } from './support.ts'

/** A start while the servers of others are away. */

const ground = openGround()
let service: TestService
let way: Awaited<ReturnType<typeof flakyWay>>
beforeAll(async () => {
  service = await openTestService()
  way = await flakyWay(service.services.app.config.get('clientUrl')!)
  way.cut()
})
afterAll(async () => {
  await ground.clear()
  way.close()
  await service.close()
})

/** What an earlier run has stored. */
function storePage(): void {
  const dir = join(ground.dir, 'snapshots')
  mkdirSync(dir)
  const { page } = service
  writeFileSync(join(dir, 'pages.json'), JSON.stringify([page]))
  const languages = { key: 'languages', body: '{"original":"en","offered":[]}', headers: {}, at: Date.now() }
  const read = { key: '/?', body: 'The last state', headers: { 'Content-Type': 'text/html' }, at: Date.now() }
  writeFileSync(join(dir, `page-${page.id}.json`), JSON.stringify([languages, read]))
}

const portOfApi = () => {
  try {
    return ground.process('api').port
  } catch {
    return undefined
  }
}

test('a service that has stored pages serves them without its database and Temporal, and reads the database later', async () => {
  storePage()
  const program = start({ ...ground.env, DATABASE_URL: way.url, TEMPORAL_ADDRESS: '127.0.0.1:1' })
  await program.said(/The database cannot be reached .*\. Pages are served as they were last; changes wait/)
  const port = await until(portOfApi, (found) => found !== undefined)
  const front = () => fetch(`http://127.0.0.1:${port}/`)
  const answer = await front()
  expect([answer.status, await answer.text()]).toEqual([200, 'The last state'])
  expect(answer.headers.get('x-snapshot-at')).not.toBeNull()
  way.mend()
  await until(
    async () => (await front()).headers.has('x-snapshot-at'),
    (isOld) => !isOld,
  )
  expect(await (await front()).text()).toContain('All systems are operational.')
  program.interrupt()
  expect(await program.ended).toBe(0)
})
