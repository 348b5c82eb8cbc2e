/**
 * Options of Node for the API and the worker, which count only at their start. On a machine with much memory V8 keeps up to
 * 130 MB for young objects; the first option bounds that. With the second the garbage of a large notification stays young, so that
 * it costs little to collect: at 10,000 webhooks the worker took up to a third more CPU without it, because V8 placed objects of
 * requests, which live for milliseconds, among the old ones. `worker/heap.ts` bounds the old ones.
 */
export const nodeOptions = ['--max-semi-space-size=16', '--no-allocation-site-pretenuring']
