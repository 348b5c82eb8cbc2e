import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeKey } from '../../src/domain/kernel/keyring.ts'
import { openGround, type Program, run, start } from './support.ts'

const ground = openGround()
const squatter = createServer()
const nowhere = 'postgres://missing:secret@127.0.0.1:1/nothing'
const keys = { ENCRYPTION_KEYS: makeKey() }
let taken: string

beforeAll(async () => {
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
  taken = String((squatter.address() as AddressInfo).port)
  writeFileSync(join(ground.dir, 'file'), '')
})

afterAll(async () => {
  squatter.close()
  await ground.clear()
})

/** One sentence on stderr and exit code 1. */
async function refuses(program: Program, sentence: RegExp): Promise<void> {
  expect(await program.ended).toBe(1)
  expect(program.err()).toMatch(sentence)
  expect(program.err().trim().split('\n')).toHaveLength(1)
  expect(program.out()).not.toContain('ready')
}

let starts = 0
/** Each on a directory of its own: these are started side by side. */
function start1(env: Record<string, string>): Program {
  starts += 1
  return start({ DATA_DIR: join(ground.dir, String(starts)), ...env })
}

test('a start on a port in use is refused', async () => {
  await refuses(start1({ PORT: taken }), new RegExp(`^The port ${taken} is in use: .*\\.\n$`))
  expect(ground.alive()).toEqual([])
})

test('a directory that cannot be used', async () => {
  const DATA_DIR = join(ground.dir, 'file', 'data')
  await refuses(start({ DATA_DIR }), /^The directory .*file\/data cannot be used: .*not a directory.*\n$/)
})

test('a directory that cannot be made', async () => {
  const reason = /^The directory \/proc\/.* cannot be used: ENOENT.*\n$/
  await refuses(start({ DATA_DIR: '/proc/upbeat/data' }), reason)
  await refuses(run('src/admin.ts', ['migrate'], { DATA_DIR: '/proc/upbeat/data' }), reason)
})

test('a misspelt setting is warned of once, and does not keep anything from starting', async () => {
  const program = start1({ DATABASE_URL: nowhere, LOG_LEVL: 'info' })
  expect(await program.ended).toBe(1)
  expect(program.err()).toBe(
    'The environment variable LOG_LEVL is not a setting of Upbeat and has no effect: did you mean LOG_LEVEL?\n' +
      'The database cannot be reached (127.0.0.1:1: ECONNREFUSED).\n',
  )
})

test('a database or a Temporal that cannot be reached', async () => {
  await Promise.all([
    refuses(start1({ DATABASE_URL: nowhere }), /^The database cannot be reached \(127\.0\.0\.1:1: ECONNREFUSED\)\.\n$/),
    refuses(
      run('src/main.ts', [], { ...ground.env, ...keys, DATABASE_URL: nowhere, TEMPORAL_ADDRESS: '127.0.0.1:1' }),
      /^The database cannot be reached \(127\.0\.0\.1:1: ECONNREFUSED\)\.\n$/,
    ),
    refuses(
      run('worker/main.ts', [], { ...ground.env, ...keys, DATABASE_URL: nowhere, TEMPORAL_ADDRESS: '127.0.0.1:1' }),
      /^The database cannot be reached \(127\.0\.0\.1:1: ECONNREFUSED\)\.\n$/,
    ),
  ])
  expect(ground.alive()).toEqual([])
  await refuses(
    start1({ TEMPORAL_ADDRESS: '127.0.0.1:1' }),
    /^Temporal cannot be reached at 127\.0\.0\.1:1 \(TEMPORAL_ADDRESS\)\.\n$/,
  )
  expect(ground.alive()).toEqual([])
})

test('a setting that is wrong or missing', async () => {
  await Promise.all([
    ...['src/start.ts', 'src/main.ts', 'worker/main.ts', 'src/admin.ts'].map((file) =>
      refuses(
        run(file, file.includes('admin') ? ['migrate'] : [], { ...ground.env, PORT: 'abc' }),
        /^The environment variable PORT must be .*, but is "abc"\.\n$/,
      ),
    ),
    refuses(start1({ DATABASE_URL: 'somewhere' }), /^The environment variable DATABASE_URL must be .*\.\n$/),
    refuses(start1({ ENCRYPTION_KEYS: 'short' }), /ENCRYPTION_KEYS must be keys of 32 bytes/),
    refuses(run('src/main.ts', [], ground.env), /^DATABASE_URL is not set: .*\.\n$/),
    refuses(
      run('worker/main.ts', [], { ...ground.env, DATABASE_URL: nowhere }),
      /^ENCRYPTION_KEYS is not set: .*\.\n$/,
    ),
  ])
  expect(ground.alive()).toEqual([])
})

test('an argument that npm start does not have', async () => {
  const DATA_DIR = join(ground.dir, 'never')
  for (const argument of ['--no-examples', 'example']) {
    const sentence = `"${argument}" is not an argument of npm start; the only argument is --no-example.`
    await refuses(start({ DATA_DIR }, argument), new RegExp(`^${sentence.replaceAll('.', '\\.')}\n$`))
  }
  expect(ground.alive()).toEqual([])
})

test('a wrong command of `npm run admin` is answered with its usage', async () => {
  const cases: [string[], RegExp][] = [
    [[], /^Usage: npm run admin/],
    [['no-such'], /^There is no command "no-such"\.\n\nUsage/],
    [['create-page', '--nam', 'x'], /^Unknown option '--nam'\.\n\nUsage/],
    [['create-page', '--name', 'x'], /^--organization is missing\.\n\nUsage/],
    [['create-token', '--page', 'x', '--name', 'y', '--permission', 'all'], /^--permission must be one of .*\n\nUsage/],
    [['create-organization', '--name', 'x', '--slug', 'A b'], /^--slug must be .*\n\nUsage/],
  ]
  await Promise.all(
    cases.map(async ([args, said]) => {
      const program = run('src/admin.ts', args, ground.env)
      expect(await program.ended).toBe(1)
      expect(program.err()).toMatch(said)
    }),
  )
  expect(ground.alive()).toEqual([])
})
