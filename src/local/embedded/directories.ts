import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { reasonOf, StartError } from './errors.ts'

/** Creates the directory and its parents; a failure is a `StartError` with the reason. */
export function makeDirectory(path: string, mode?: number): void {
  try {
    makeWithParents(resolve(path), mode)
  } catch (error) {
    throw new StartError(`The directory ${path} cannot be used: ${reasonOf(error)}`)
  }
}

/** Replaces `recursive` of Node, which never ends where a parent refuses directories, as below /proc. */
function makeWithParents(path: string, mode: number | undefined): void {
  const parent = dirname(path)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found) throw new Error(`${path} is not a directory`)
  if (parent !== path) makeWithParents(parent, undefined)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have created the directory.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
