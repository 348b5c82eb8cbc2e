import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { waitForDirectory } from './lock.ts'

export interface ToolOptions {
  /** Several checkouts and processes may share the directory. */
  cacheDir: string
  print(message: string): void
  /** Ends a running download or build. */
  signal?: AbortSignal
}

const TEMPORARY = 'making-'

/**
 * The path of `<cacheDir>/bin/<name>`. If the file does not exist, `obtain` creates it in a temporary directory and returns its
 * path; a rename then moves it, so that no incomplete file is ever found.
 */
export async function cachedTool(
  { cacheDir, print, signal }: ToolOptions,
  name: string,
  obtain: (temporary: string) => Promise<string>,
): Promise<string> {
  const bin = join(resolve(cacheDir), 'bin')
  const path = join(bin, name)
  if (existsSync(path)) return path
  const held = await waitForDirectory(
    bin,
    () => print(`Waiting for another process that downloads or builds into ${bin}`),
    signal,
  )
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
