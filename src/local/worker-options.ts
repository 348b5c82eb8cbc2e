/**
 * Options of Node for the worker, which count only at its start. They keep the garbage of a large notification young, so that it
 * costs little to collect: at 10,000 webhooks the worker took up to a third more CPU without the second option, because V8 placed
 * objects of requests, which live for milliseconds, among the old ones. `worker/heap.ts` bounds the old ones.
 */
export const workerOptions = ['--max-semi-space-size=16', '--no-allocation-site-pretenuring']
