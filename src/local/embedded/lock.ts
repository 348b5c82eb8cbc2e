import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDirectory } from './directories.ts'
import { reasonOf, StartError } from './errors.ts'

export interface Held {
  release(): void
}

const SQLITE_BUSY = 5

// A connection that nobody refers to is closed by the garbage collector, and the lock would go with it.
const connections = new Set<DatabaseSync>()

/** Takes the directory for this process, until it is released or the process dies, by kill -9 too. */
export function holdDirectory(dir: string): Held {
  const held = tryToHold(dir)
  if (!held)
    throw new StartError(`Another Upbeat is running on the directory ${dir}: stop it, or give this one another.`)
  return held
}

/** As holdDirectory, but waits for the other holder; `onWait` is called once, if there is one. */
export async function waitForDirectory(dir: string, onWait: () => void, signal?: AbortSignal): Promise<Held> {
  let waiting = false
  for (;;) {
    const held = tryToHold(dir)
    if (held) return held
    if (!waiting) onWait()
    waiting = true
    await sleep(250, undefined, { signal })
  }
}

/** As holdDirectory; undefined if another process has it. */
export function tryToHold(dir: string): Held | undefined {
  makeDirectory(dir)
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK)
    return lockFile(join(dir, 'lock.db'))
  } catch (error) {
    throw new StartError(`The directory ${dir} cannot be used: ${reasonOf(error)}`)
  }
}

/** SQLite rather than a pid file: the operating system frees its lock when the process ends, however it ends. */
function lockFile(path: string): Held | undefined {
  const connection = new DatabaseSync(path, { timeout: 0 })
  try {
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    connection.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw error
  }
  connections.add(connection)
  return {
    release() {
      if (connections.delete(connection)) connection.close()
    },
  }
}
