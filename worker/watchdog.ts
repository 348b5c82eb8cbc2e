import inspector from 'node:inspector'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'

/** Half the heartbeat timeout of a lease. */
const PATIENCE_MS = 5000
const TICK_MS = 500

interface Watch {
  ticks: Int32Array
  patienceMs: number
}

/**
 * A process that hangs, or was frozen for a while, must not come back as if nothing had been: its leases are somebody
 * else's by now, and what it asked Temporal for is given to it and lost. A thread that hangs on nothing ends it.
 */
export function watchOver(logger: Logger, patienceMs = PATIENCE_MS): { close(): void } {
  // Whoever debugs stops time, and that is all.
  if (inspector.url()) return { close() {} }
  const ticks = new Int32Array(new SharedArrayBuffer(4))
  // As text: a file of its own would have its types stripped within the thread, for 11 MB.
  const source = `(${watch})(require('node:worker_threads').workerData)`
  const workerData: Watch = { ticks, patienceMs }
  const thread = new Worker(source, { eval: true, workerData, execArgv: [] })
  thread.on('error', (error) => logger.error({ err: error }, 'nobody watches over this process'))
  thread.unref()
  const timer = setInterval(() => Atomics.add(ticks, 0, 1), TICK_MS)
  timer.unref()
  return {
    close() {
      clearInterval(timer)
      void thread.terminate()
    },
  }
}

/** Runs in the thread, so it knows nothing of this file: looks whether the process ticks, on a clock that never stops. */
function watch({ ticks, patienceMs }: Watch): void {
  const never = new Int32Array(new SharedArrayBuffer(4))
  let seen = Atomics.load(ticks, 0)
  let since = performance.now()
  let looked = since
  for (;;) {
    Atomics.wait(never, 0, 0, patienceMs / 10)
    const now = performance.now()
    // Frozen itself, it cannot know what the others did meanwhile: the main thread may have ticked since.
    const frozen = now - looked > patienceMs
    looked = now
    const count = Atomics.load(ticks, 0)
    if (count !== seen) {
      seen = count
      since = now
    }
    if (frozen || now - since > patienceMs) {
      const what = frozen ? 'was frozen' : 'has hung'
      const msg = `the process ${what} for more than ${patienceMs / 1000} s: it ends, to be started again`
      const line = JSON.stringify({ level: 60, time: Date.now(), pid: process.pid, msg })
      process.getBuiltinModule('node:fs').writeSync(2, `${line}\n`)
      process.kill(process.pid, 'SIGKILL')
    }
  }
}
