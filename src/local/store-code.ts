import { globSync, mkdirSync, readFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fileOf, LOADER, loadWithoutTypes, withoutTypes } from '../runtime/without-types.ts'

const root = new URL('../../', import.meta.url)
const folders = '{src,workflows,activities,worker}/**/*.ts'

export interface StoredCode {
  /** Options of Node with which a process loads the stored code. */
  options: string[]
  env: Record<string, string>
}

/**
 * Stores the code of the API and the worker without its types. A process that finds none, as when the folder takes no files or is gone,
 * removes the types itself.
 */
export function storeCode(cache = getCompileCacheDir()): StoredCode {
  if (cache === undefined) return { options: [], env: {} }
  const dir = join(cache, 'code')
  try {
    mkdirSync(dir, { recursive: true })
  } catch {}
  for (const file of globSync(folders, { cwd: root })) withoutTypes(readFileSync(new URL(file, root), 'utf8'), dir)
  const loader = fileOf(readFileSync(new URL('src/runtime/without-types.ts', root), 'utf8'), dir)
  const [address, folder] = [pathToFileURL(loader), dir].map((part) => JSON.stringify(part))
  const text = `await import(${address}).then((module) => module.${loadWithoutTypes.name}(${folder}), () => {})`
  return {
    options: [LOADER, `data:text/javascript,${encodeURIComponent(text)}`],
    env: { CODE_DIR: dir, NODE_DISABLE_COMPILE_CACHE: '1' },
  }
}
