import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { reasonOf, StartError } from './errors.ts'

/** Makes the directory and those above it. One sentence says why that is impossible. */
export function makeDirectory(path: string, mode?: number): void {
  try {
    makeWithParents(resolve(path), mode)
  } catch (error) {
    throw new StartError(`The directory ${path} cannot be used: ${reasonOf(error)}`)
  }
}

/** Node's own `recursive` never ends where a parent exists but takes no directories, as below /proc. */
function makeWithParents(path: string, mode: number | undefined): void {
  const parent = dirname(path)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found) throw new Error(`${path} is not a directory`)
  if (parent !== path) makeWithParents(parent, undefined)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
