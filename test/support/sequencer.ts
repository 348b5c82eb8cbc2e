import { statSync } from 'node:fs'
import { waits } from './kinds.ts'

interface TestFile {
  path: string
}

/** What waits longest for its size: for Temporal to give a dead worker's task to another, for instance. */
const longest = /\/test\/faults\//

/** What waits comes first: one that began last would keep everybody waiting. Then the longest file. */
export default class Sequencer {
  sort<File extends TestFile>(files: File[]): File[] {
    const sizes = new Map(files.map(({ path }) => [path, statSync(path).size]))
    const first = ({ path }: TestFile) => Number(longest.test(path)) + Number(waits(path))
    return files.toSorted((a, b) => first(b) - first(a) || sizes.get(b.path)! - sizes.get(a.path)!)
  }

  cacheResults(): void {}
}
