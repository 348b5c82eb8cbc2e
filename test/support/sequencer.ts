import { statSync } from 'node:fs'
import { waits } from './kinds.ts'

interface TestFile {
  path: string
}

/** What waits comes first: one that began last would keep everybody waiting. Then the longest file. */
export default class Sequencer {
  sort<File extends TestFile>(files: File[]): File[] {
    const sizes = new Map(files.map(({ path }) => [path, statSync(path).size]))
    const first = ({ path }: TestFile) => Number(waits(path))
    return files.toSorted((a, b) => first(b) - first(a) || sizes.get(b.path)! - sizes.get(a.path)!)
  }

  cacheResults(): void {}
}
