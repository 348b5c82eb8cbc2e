import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { type Caller, callerOf } from '../support/caller.ts'
import { openGround, type Program, ready, run, start } from './support.ts'

/** The tests follow each other on one directory. `npm run test:matrix` has the kills, the other starts and the other copies. */
const ground = openGround()
const dir = mkdtempSync(join(tmpdir(), 'upbeat-start-copy-'))
const file = join(dir, 'copy.gz')
let program: Program
let token: string
let admin: Caller
const ids: Record<string, number> = {}

afterAll(async () => {
  await ground.clear()
  rmSync(dir, { recursive: true, force: true })
})

async function command(...args: string[]): Promise<string> {
  const ran = run('src/admin.ts', args, ground.env)
  expect([await ran.ended, ran.err()]).toEqual([0, ''])
  return ran.out()
}

async function report(title: string): Promise<number> {
  const { status, body } = await admin.post('/admin/incidents', { title })
  expect(status).toBe(201)
  return body.id
}

test('the first start ends with a ready message and a token, and Ctrl-C ends all of its processes', async () => {
  program = start(ground.env)
  const url = await ready(program)
  token = (await program.said(/Admin token, shown only once: (upb_\S+)\n/))[1]!
  admin = callerOf(url, token)
  expect((await admin.get('//')).body).toContain('Example')
  ids.copied = await report('Copied')
  expect(await command('backup', file)).toMatch(/^Copied \d+ rows to /)
  ids.later = await report('Later')
  program.interrupt()
  expect(await program.ended).toBe(0)
  expect([ground.alive(), program.err()]).toEqual([[], ''])
})

test('after a restore the next start has the incidents of the copy, without later incidents', async () => {
  expect(await command('restore', file)).toMatch(/^Restored \d+ rows as of /)
  program = start(ground.env)
  admin = callerOf(await ready(program), token)
  const answers = [await admin.get(`/admin/incidents/${ids.copied}`), await admin.get(`/admin/incidents/${ids.later}`)]
  expect(answers.map(({ status }) => status)).toEqual([200, 404])
  program.interrupt()
  expect(await program.ended).toBe(0)
})
