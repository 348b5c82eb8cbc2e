import { afterAll, expect, test } from '@jest/globals'
import { callerOf } from '../support/caller.ts'
import { openGround, ready, run, start } from './support.ts'

const ground = openGround()
const made: Record<string, string> = {}

afterAll(() => ground.clear())

async function admin(...args: string[]): Promise<string> {
  const program = run('src/admin.ts', args, ground.env)
  expect(await program.ended).toBe(0)
  return program.out().trim()
}

async function refused(...args: string[]): Promise<string> {
  const program = run('src/admin.ts', args, ground.env)
  expect(await program.ended).toBe(1)
  return program.err().trim()
}

test('without a start it brings the database for as long as it needs it', async () => {
  expect(await admin('create-organization', '--name', 'Acme Corp')).toBe('Created the organization "acme-corp" (1).')
  expect(await refused('create-organization', '--name', 'Acme Corp')).toMatch(/^An organization with this slug/)
  expect(await refused('create-page', '--organization', 'none', '--name', 'x')).toMatch(/^There is no organization/)
  expect(await admin('create-page', '--organization', 'acme-corp', '--name', 'Status')).toBe(
    'Created the page "status" (1) of the organization "acme-corp" (1).',
  )
  made.before = await admin('create-token', '--page', 'status', '--name', 'before')
  expect(await admin('rotate-key')).toMatch(/^Encrypted \d+ secrets with the key \w{8}\./)
  expect(ground.alive()).toEqual([])
})

test('a command during a start uses the same database and leaves it running', async () => {
  const program = start(ground.env)
  const url = await ready(program)
  expect(program.out()).not.toContain('Admin token')
  const server = ground.process('postgres').pid
  made.after = await admin('create-token', '--page', 'status', '--name', 'after', '--permission', 'read')
  for (const token of [made.before!, made.after]) {
    const { status, body } = await callerOf(url, token).get('/admin/incidents')
    expect({ status, total: body.total }).toEqual({ status: 200, total: 0 })
  }
  expect((await callerOf(url, made.after).post('/admin/incidents', { title: 'x' })).status).toBe(403)
  expect(await admin('rotate-key')).toContain('Restart the service')
  expect(ground.process('postgres').pid).toBe(server)
  program.interrupt()
  expect(await program.ended).toBe(0)
  expect(ground.alive()).toEqual([])
})
