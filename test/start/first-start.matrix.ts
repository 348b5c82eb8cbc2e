import { afterAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { callerOf } from '../support/caller.ts'
import { until } from '../support/wait.ts'
import { openGround, ready, start } from './support.ts'

const ground = openGround()
const bare = openGround()

afterAll(async () => {
  await ground.clear()
  await bare.clear()
})

/** Whether the database holds what this statement finds. */
async function found(sql: string): Promise<boolean> {
  try {
    const client = new pg.Client({ connectionString: ground.databaseUrl(), connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    await client.connect()
    const { rowCount } = await client.query(sql).finally(() => client.end())
    return rowCount! > 0
  } catch {
    // There is no database yet, or no such table.
    return false
  }
}

/** When a first start is killed: with its cluster half made, then ever closer to its end. */
const moments = [
  () => true,
  () => found("select from information_schema.tables where table_schema = 'public'"),
  () => found('select from organization'),
  () => found('select from hierarchy_item'),
]

test('a first start that is killed on its way, again and again, is finished by the next', async () => {
  let program = start(ground.env)
  await program.said(/Creating the database/)
  for (const moment of moments) {
    await until(moment, Boolean)
    program.kill('SIGKILL')
    await program.ended
    program = start(ground.env)
  }
  const url = await ready(program)
  const [, token] = await program.said(/Admin token, shown only once: (upb_\S+)\n/)
  const admin = callerOf(url, token!)
  const { body } = await admin.get('/admin/incidents?view=full')
  const timelines = body.incidents.map((incident: { updates: unknown[] }) => incident.updates.length)
  expect(timelines).toEqual([2, 3])
  const items = (await admin.get('/admin/hierarchy/items?limit=100')).body
  expect(items.total).toBe(13)
  const { message } = (await admin.del('/admin/example')).body
  expect(message).toMatch(/^Deleted: 2 incidents, \d maintenances?, 1 maintenance series, 13 items\.$/)
  program.interrupt()
  expect(await program.ended).toBe(0)
  expect(program.err()).toBe('')
  expect(ground.alive()).toEqual([])
})

test('a first start without the example makes an empty page that can be used at once', async () => {
  const program = start(bare.env, '--no-example')
  const url = await ready(program)
  const [, token] = await program.said(/Admin token, shown only once: (upb_\S+)\n/)
  const admin = callerOf(url, token!)
  for (const path of ['/admin/hierarchy/items', '/admin/incidents', '/admin/maintenances']) {
    expect([path, (await admin.get(path)).body.total]).toEqual([path, 0])
  }
  expect((await admin.get('//')).body).toContain('All systems are operational.')
  expect((await admin.post('/admin/incidents', { title: 'Ours' })).status).toBe(201)
  expect((await admin.del('/admin/example')).body.message).toBe('The example has no records left.')
  program.interrupt()
  expect(await program.ended).toBe(0)
  expect(program.err()).toBe('')
})
