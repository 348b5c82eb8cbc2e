import { statSync } from 'node:fs'
import { takesLongest, waits } from './kinds.ts'

interface TestFile {
  path: string
}

/** Files that wait or take longest come first: a long file that began last would run alone. Then files by their size. */
export default class Sequencer {
  sort<File extends TestFile>(files: File[]): File[] {
    const sizes = new Map(files.map(({ path }) => [path, statSync(path).size]))
    const first = ({ path }: TestFile) => Number(takesLongest(path)) + Number(waits(path))
    return files.toSorted((a, b) => first(b) - first(a) || sizes.get(b.path)! - sizes.get(a.path)!)
  }

  cacheResults(): void {}
}
