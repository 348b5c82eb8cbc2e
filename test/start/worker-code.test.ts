import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'

test('a worker loads the operations and the agent only when it needs them', () => {
  const load = `
    const loaded = []
    process.getBuiltinModule('node:module').registerHooks({
      load(url, context, next) { loaded.push(url); return next(url, context) },
    })
    await import('./worker/main.ts')
    console.log(JSON.stringify(loaded.map((url) => url.replace(import.meta.url.replace('[eval1]', ''), ''))))`
  const cwd = new URL('../../', import.meta.url)
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', load]
  const loaded: string[] = JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' }))
  expect(loaded).toContain('src/domain/steps.ts')
  expect(loaded.filter((file) => /^src\/(api|domain\/agent\/(plans|turns|language))\//.test(file))).toEqual([])
})
