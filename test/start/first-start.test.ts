import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, jest, test } from '@jest/globals'
import { callerOf } from '../support/caller.ts'
import { openGround, ready, start } from './support.ts'

jest.setTimeout(180_000)

const ground = openGround()

afterAll(() => ground.clear())

test('a first start that is killed on its way, again and again, is finished by the next', async () => {
  let program = start(ground.env)
  await program.said(/Creating the database/)
  for (const patience of [100, 1200, 1000, 1400]) {
    await sleep(patience)
    program.kill('SIGKILL')
    await program.ended
    program = start(ground.env)
  }
  const url = await ready(program)
  const [, token] = await program.said(/Admin token, shown this once: (upb_\S+)\n/)
  const admin = callerOf(url, token!)
  const { body } = await admin.get('/admin/incidents?view=full')
  const timelines = body.incidents.map((incident: { updates: unknown[] }) => incident.updates.length)
  expect(timelines).toEqual([2, 3])
  const items = (await admin.get('/admin/hierarchy/items?limit=100')).body
  expect(items.total).toBe(13)
  program.interrupt()
  expect(await program.ended).toBe(0)
  expect(program.err()).toBe('')
  expect(ground.alive()).toEqual([])
})
