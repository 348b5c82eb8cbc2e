import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { waitForDirectory } from './lock.ts'

export interface ToolOptions {
  /** May be shared by several checkouts and processes. */
  cacheDir: string
  say(message: string): void
  /** Ends a download or a build that is under way. */
  signal?: AbortSignal
}

const TEMPORARY = 'making-'

/**
 * The path of `<cacheDir>/bin/<name>`. If it is not there, `obtain` makes it in a temporary directory and returns
 * where; a rename then puts it in its place, so that nothing half done is ever found there.
 */
export async function cachedTool(
  { cacheDir, say, signal }: ToolOptions,
  name: string,
  obtain: (temporary: string) => Promise<string>,
): Promise<string> {
  const bin = join(resolve(cacheDir), 'bin')
  const path = join(bin, name)
  if (existsSync(path)) return path
  const held = await waitForDirectory(bin, () => say(`Another process is filling ${bin}: waiting for it`), signal)
  try {
    if (existsSync(path)) return path
    for (const left of readdirSync(bin)) if (left.startsWith(TEMPORARY)) remove(join(bin, left))
    const temporary = mkdtempSync(join(bin, TEMPORARY))
    try {
      renameSync(await obtain(temporary), path)
    } finally {
      remove(temporary)
    }
    return path
  } finally {
    held.release()
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5 })
}
