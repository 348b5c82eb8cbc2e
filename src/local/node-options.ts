/**
 * Options of Node for the API and the worker, which count only at their start. On a machine with much memory V8 keeps up to
 * 130 MB for young objects; the first option bounds that. With the second the garbage of a large notification stays young, so that
 * it costs little to collect: at 10,000 webhooks the worker took up to a third more CPU without it, because V8 placed objects of
 * requests, which live for milliseconds, among the old ones. `worker/heap.ts` bounds the old ones.
 */
export const nodeOptions = ['--max-semi-space-size=16', '--no-allocation-site-pretenuring']

/**
 * How glibc keeps freed memory, in every process of `npm start`: for two arenas and not for each of many threads (20 MB in a
 * process), and none of a freed block of 128 KiB or more, however large the blocks before it were (10 to 20 MB). Smaller ones
 * stay, up to 2 MiB at the end of the heap: giving back less at a time takes the time of the worker.
 */
export const allocation = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '2097152',
}
