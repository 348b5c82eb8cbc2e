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

// Keeps the connections: the garbage collector would close a connection without references and release its lock.
const connections = new Set<DatabaseSync>()

/** Locks the directory until it is released or the process ends, even by kill -9. */
export function holdDirectory(dir: string): Held {
  const held = tryToHold(dir)
  if (!held)
    throw new StartError(
      `Another Upbeat uses the directory ${dir}: stop the other Upbeat, or set DATA_DIR to another directory.`,
    )
  return held
}

/** Like `holdDirectory`, but waits for another holder; `onWait` is called once at the beginning of the wait. */
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

/** Like `holdDirectory`, but undefined if another process holds the directory. */
export function tryToHold(dir: string): Held | undefined {
  makeDirectory(dir)
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK)
    return lockFile(join(dir, 'lock.db'))
  } catch (error) {
    throw new StartError(`The directory ${dir} cannot be used: ${reasonOf(error)}`)
  }
}

/** Uses a lock of SQLite instead of a pid file: the operating system releases the lock at every end of the process. */
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
