import { statSync } from 'node:fs'

interface TestFile {
  path: string
}

/** What runs whole services, and mostly waits: for leases that run out, for periods, for processes that start. */
const waiting = /\/test\/(faults|grid|lease|start)\/|\/test\/workflows\/(check-shard|series)\./

/** Those come first, while others compute: one that began last would keep everybody waiting. Then the longest file. */
export default class Sequencer {
  sort<File extends TestFile>(files: File[]): File[] {
    const sizes = new Map(files.map(({ path }) => [path, statSync(path).size]))
    const waits = ({ path }: TestFile) => Number(waiting.test(path))
    return files.toSorted((a, b) => waits(b) - waits(a) || sizes.get(b.path)! - sizes.get(a.path)!)
  }

  cacheResults(): void {}
}
