import { setFlagsFromString } from 'node:v8'

/**
 * On a machine with much memory, V8 collects late: it lets old objects grow to four times what was in use after the last
 * collection, and keeps 130 MB for young objects. The messages of a large notification live long enough to become such garbage,
 * and the worker grew by 270 MB that nothing used. V8 reads this flag at each collection; options that count only at the start
 * are in `src/local/node-options.ts`.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=20')
}
