import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { getCompileCacheDir, registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

/** The option of Node before the address of a program that calls `loadWithoutTypes`. */
export const LOADER = '--import'

/**
 * TypeScript without its types, stored under the hash of its text. A process that finds it in the folder does not load the part of
 * Node that removes types, which takes 14 MB as long as the process lives.
 */
export function withoutTypes(source: string, dir = process.env.CODE_DIR ?? getCompileCacheDir()): string {
  if (!dir) return stripTypeScriptTypes(source)
  const file = fileOf(source, dir)
  return stored(file) ?? store(file, stripTypeScriptTypes(source))
}

/**
 * From here on this process loads its code as it is stored in the folder. The compile cache of Node would store it, too, but each
 * process keeps what it read from that cache: another 20 MB.
 */
export function loadWithoutTypes(dir: string): void {
  registerHooks({
    load(url, context, next) {
      const source = isOwnCode(url) ? stored(fileOf(readFileSync(new URL(url), 'utf8'), dir)) : undefined
      return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true }
    },
  })
}

/** The options of this process with which a thread of it loads the stored code, too. */
export function threadOptions(options = process.execArgv): string[] {
  const at = options.indexOf(LOADER)
  return at < 0 ? [] : options.slice(at, at + 2)
}

const isOwnCode = (url: string) => url.startsWith('file:') && url.endsWith('.ts') && !url.includes('/node_modules/')

export const fileOf = (source: string, dir: string): string =>
  join(dir, `${createHash('sha256').update(source).digest('hex')}.js`)

function stored(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Under its name only when it is whole. A folder that takes no files costs memory, and nothing else. */
function store(file: string, script: string): string {
  try {
    writeFileSync(`${file}.${process.pid}`, script)
    renameSync(`${file}.${process.pid}`, file)
  } catch {}
  return script
}
