import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { openPreparation } from '../../src/local/preparation.ts'
import { fileOf } from '../../src/runtime/without-types.ts'

const cache = mkdtempSync(join(tmpdir(), 'upbeat-code-'))
afterAll(() => rmSync(cache, { recursive: true }))

const env = { ...process.env, NODE_COMPILE_CACHE: cache, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' }
const root = new URL('../../', import.meta.url)

/** What of Node removes types, in a process that has loaded all code of the API and of the worker. */
function loadedToRemoveTypes(options: string[], own: Record<string, string>): string[] {
  const load = `
    await import('./src/main.ts')
    await import('./worker/main.ts')
    ;(await import('./src/page/browser/scripts.ts')).scripts()
    ;(await import('./src/embeds/script.ts')).embedScript()
    await Promise.all([import('./src/mcp/endpoint.ts'), import('./src/mcp/server.ts')])
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => name.includes('amaro'))))`
  const args = [...options, '--input-type=module', '-e', load]
  const settings = { cwd: root, env: { ...env, ...own }, encoding: 'utf8' } as const
  return JSON.parse(execFileSync(process.execPath, args, settings))
}

test('after the first start the API and the worker find their code without types', async () => {
  const preparation = openPreparation({ env, print: () => {}, retries: () => false })
  try {
    const code = await preparation.run('code', () => undefined as never)
    expect(loadedToRemoveTypes(code.options, code.env)).toEqual([])
    // Code that has changed since is loaded as it is.
    const source = readFileSync(new URL('src/main.ts', root), 'utf8')
    rmSync(fileOf(source, code.env.CODE_DIR!))
    expect(loadedToRemoveTypes(code.options, code.env)).not.toEqual([])
    // As when the libraries are installed again while the service runs.
    rmSync(code.env.CODE_DIR!, { recursive: true })
    expect(loadedToRemoveTypes(code.options, code.env)).not.toEqual([])
  } finally {
    await preparation.stop()
  }
})
