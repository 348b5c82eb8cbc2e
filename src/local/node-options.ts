/**
 * Options of Node for the API and the worker, which count only at their start. On a machine with much memory V8 keeps up to
 * 130 MB for young objects; the first option bounds that. With the second the garbage of a large notification stays young, so that
 * it costs little to collect: at 10,000 webhooks the worker took up to a third more CPU without it, because V8 placed objects of
 * requests, which live for milliseconds, among the old ones. `worker/heap.ts` bounds the old ones.
 */
export const nodeOptions = ['--max-semi-space-size=16', '--no-allocation-site-pretenuring']

/**
 * How glibc keeps freed memory, in every process of `npm start`: for two arenas and not for each of many threads (20 MB in a
 * process), and at most 1 MiB of it at the end of the heap, however large the freed blocks are (10 to 20 MB). Lower bounds make
 * answers of a few hundred KiB half as fast, because the system clears new memory for each.
 */
export const allocation = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '1048576',
}
