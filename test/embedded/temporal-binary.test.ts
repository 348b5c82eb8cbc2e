import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { failureOf } from '../../src/local/embedded/long-command.ts'
import { messages, temporaryDirectory } from './support.ts'

const dir = temporaryDirectory()
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const program = `
  import { temporalBinary } from ${JSON.stringify(join(import.meta.dirname, '../../src/local/embedded/temporal-binary.ts'))}
  const print = (message) => console.log(message)
  await temporalBinary({ cacheDir: process.env.CACHE, print }).catch((error) => console.log(error.message))`

/** What a machine says that has only these programs, and a cache with nothing in it. */
function buildWith(name: string, programs: Record<string, string>): string {
  const path = join(dir, name)
  mkdirSync(path)
  for (const [file, script] of Object.entries(programs)) {
    writeFileSync(join(path, file), `#!/bin/sh\n${script}\n`)
    chmodSync(join(path, file), 0o755)
  }
  // No address of the download can be reached through a proxy that is not there.
  const nowhere = { https_proxy: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1' }
  const env = { PATH: path, CACHE: join(path, 'cache'), ...nowhere }
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' })
}

test('without Go, a build is not announced', () => {
  const said = buildWith('without', {})
  expect(said).toContain('go is not installed')
  expect(said).not.toContain('building')
})

test('with Go, what is built and how long it takes is announced first', () => {
  const env = 'exec /usr/bin/env "$@"'
  const said = buildWith('with', { env, go: '[ "$1" = version ] || { echo no network >&2; exit 1; }' })
  expect(said).toMatch(
    /building github\.com\/temporalio\/cli\/cmd\/temporal@v\S+ with Go in 2 to 6 minutes \(only at the first start\)\n/,
  )
  expect(said).toContain('(no network)')
})

test('a long command reports the last line that it wrote', async () => {
  const { print, said } = messages()
  const ended = await failureOf({
    command: '/bin/sh',
    args: ['-c', 'echo first; echo second >&2; sleep 1'],
    progress: (_, lastLine) => `now ${lastLine}`,
    print,
    everyMs: 100,
  })
  expect(ended).toBeUndefined()
  expect(said).toContain('now second')
})
