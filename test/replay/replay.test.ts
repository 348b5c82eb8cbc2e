import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js'
import { bundleWorkflowCode, DefaultLogger, type ReplayWorkerOptions, Worker } from '@temporalio/worker'
import { processKinds } from '../../workflows/processes.ts'
import { codePath, quietRuntime } from '../support/processes.ts'

quietRuntime()

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = join(root, 'test/replay/histories')

async function* recorded() {
  for (const name of (await readdir(folder)).sort()) {
    const history = historyFromJSON(JSON.parse(await readFile(join(folder, name), 'utf8')))
    yield { workflowId: name, history }
  }
}

/** How each life that was recorded replays: its name, and the name of the error or null. */
async function replay(workflowBundle: ReplayWorkerOptions['workflowBundle']): Promise<Record<string, string | null>> {
  const results: Record<string, string | null> = {}
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, recorded())) {
    results[workflowId] = error ? error.name : null
  }
  return results
}

test('every life that was recorded replays with the workflows as they are', async () => {
  const results = await replay({ codePath: await codePath() })
  const lived = new Set(Object.keys(results).map((name) => name.split('.')[0]))
  expect(lived).toEqual(new Set([...Object.keys(processKinds), 'checks']))
  expect(results).toEqual(Object.fromEntries(Object.keys(results).map((name) => [name, null])))
})

test('a change that running workflows could not follow is noticed', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'upbeat-replay-'))
  await cp(join(root, 'workflows'), join(scratch, 'workflows'), { recursive: true })
  await symlink(join(root, 'node_modules'), join(scratch, 'node_modules'))
  for (const [name, before, inserted] of [
    ['reconcile.ts', 'last = await stepUntilItSucceeds(', 'await condition(() => false, 1)'],
    ['check-shard.ts', 'const end = await leaseOf(', 'await regionUnserved(ref)'],
  ] as const) {
    const loop = join(scratch, 'workflows', name)
    const code = await readFile(loop, 'utf8')
    const changed = code.replace(before, `${inserted}\n    ${before}`)
    expect(changed).not.toBe(code)
    await writeFile(loop, changed)
  }
  const logger = new DefaultLogger('ERROR')
  const bundle = await bundleWorkflowCode({ workflowsPath: join(scratch, 'workflows/index.ts'), logger })
  const results = await replay(bundle)
  expect(new Set(Object.values(results))).toEqual(new Set(['DeterminismViolationError']))
  await rm(scratch, { recursive: true, force: true })
})
