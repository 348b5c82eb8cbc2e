import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { getCompileCacheDir, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

/**
 * TypeScript without its types, stored with the compiled code of Node. A process that finds it there does not load the part of
 * Node that removes types, which stays in memory.
 */
export function withoutTypes(source: string, dir = getCompileCacheDir()): string {
  if (dir === undefined) return stripTypeScriptTypes(source)
  const file = join(dir, `${createHash('sha256').update(source).digest('hex')}.js`)
  return stored(file) ?? store(file, stripTypeScriptTypes(source))
}

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
