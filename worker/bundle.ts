import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeDirectory } from '../src/local/embedded/directories.ts'

const MAP_PREFIX = '//# sourceMappingURL=data:application/json;charset=utf-8;base64,'
const workflows = fileURLToPath(new URL('../workflows/', import.meta.url))

/**
 * The path of the bundle of our workflows. It is built once for each version of them, in a process of its own: the
 * bundler would stay in the worker's memory for good.
 */
export async function workflowBundle(cacheDir: string): Promise<string> {
  const path = join(cacheDir, 'workflows', `${await versionOf(workflows)}.cjs`)
  if (await exists(path)) return path
  makeDirectory(join(cacheDir, 'workflows'))
  const scratch = `${path}.${process.pid}`
  await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), scratch])
  await rename(scratch, path)
  return path
}

async function versionOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  hash.update(createRequire(import.meta.url)('@temporalio/worker/package.json').version)
  hash.update(await readFile(fileURLToPath(import.meta.url)))
  for (const name of (await readdir(folder)).sort()) hash.update(name).update(await readFile(join(folder, name)))
  return hash.digest('hex').slice(0, 16)
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Run as a program: bundle to the path that is named, or `--cache DIR` to have it ready there. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , target, cacheDir] = process.argv
  if (target === '--cache' && cacheDir) await workflowBundle(cacheDir)
  else if (target) await bundleTo(target)
}

async function bundleTo(target: string): Promise<void> {
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker')
  const workflowsPath = join(workflows, 'index.ts')
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') })
  await writeFile(target, withoutSources(code))
}

/** The map from the bundle to our files, for stack traces; not their text, which each thread would keep. */
function withoutSources(code: string): string {
  const [head, map] = code.split(MAP_PREFIX) as [string, string]
  const { sourcesContent: _, ...rest } = JSON.parse(Buffer.from(map, 'base64').toString())
  return `${head}${MAP_PREFIX}${Buffer.from(JSON.stringify(rest)).toString('base64')}`
}
