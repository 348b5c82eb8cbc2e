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
 * The path of the workflow bundle. The bundle is built once for each version of the workflows, in a separate process: the
 * bundler would stay in the memory of the worker.
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

/** Run as a program with a path, writes the bundle to the path; with `--cache DIR`, builds the bundle into that cache. */
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

/** Keeps the source map for stack traces, without the text of the sources, which each thread would keep in memory. */
function withoutSources(code: string): string {
  const [head, map] = code.split(MAP_PREFIX) as [string, string]
  const { sourcesContent: _, ...rest } = JSON.parse(Buffer.from(map, 'base64').toString())
  return `${head}${MAP_PREFIX}${Buffer.from(JSON.stringify(rest)).toString('base64')}`
}
