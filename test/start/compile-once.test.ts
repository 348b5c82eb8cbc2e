import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { openPreparation } from '../../src/local/preparation.ts'

const cache = mkdtempSync(join(tmpdir(), 'upbeat-compiled-'))
afterAll(() => rmSync(cache, { recursive: true }))

const env = { ...process.env, NODE_COMPILE_CACHE: cache, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' }

/** What of Node removes types, in a process that has loaded all code of the API and of the worker. */
function loadedToCompile(): string[] {
  const load = `
    await import('./src/main.ts')
    await import('./worker/main.ts')
    ;(await import('./src/page/browser/scripts.ts')).scripts()
    ;(await import('./src/embeds/script.ts')).embedScript()
    await Promise.all([import('./src/mcp/endpoint.ts'), import('./src/mcp/server.ts')])
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => name.includes('amaro'))))`
  const cwd = new URL('../../', import.meta.url)
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', load], { cwd, env, encoding: 'utf8' }))
}

test('after the first start the API and the worker find their code compiled', async () => {
  const preparation = openPreparation({ env, print: () => {}, retries: () => false })
  try {
    await preparation.run('compiled', () => undefined as never)
  } finally {
    await preparation.stop()
  }
  expect(loadedToCompile()).toEqual([])
  const [folder] = readdirSync(cache)
  expect(existsSync(join(cache, folder!, 'complete'))).toBe(true)
})
