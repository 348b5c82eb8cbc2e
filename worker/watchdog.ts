import inspector from 'node:inspector'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'

const TICK_MS = 500

interface Watch {
  ticks: Int32Array
  patienceMs: number
}

/**
 * Ends a process that hangs or was frozen: other processes hold its leases by then, and Temporal assigns tasks to its open
 * polls, which are lost. A thread that depends on nothing else of the process watches the event loop.
 */
export function watchOver(logger: Logger, patienceMs: number): { close(): void } {
  // A debugger stops the process for long times.
  if (inspector.url()) return { close() {} }
  const ticks = new Int32Array(new SharedArrayBuffer(4))
  // The source is passed as text: stripping the types of a file within the thread would take 11 MB.
  const source = `(${watch})(require('node:worker_threads').workerData)`
  const workerData: Watch = { ticks, patienceMs }
  const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 }
  const thread = new Worker(source, { eval: true, workerData, execArgv: [], resourceLimits })
  thread.on('error', (error) =>
    logger.error({ err: error }, 'the watchdog thread failed: a process that hangs will not be ended'),
  )
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

/** Runs in the thread without access to this file: checks on a monotonic clock whether the process ticks. */
function watch({ ticks, patienceMs }: Watch): void {
  const never = new Int32Array(new SharedArrayBuffer(4))
  let seen = Atomics.load(ticks, 0)
  let since = performance.now()
  let looked = since
  for (;;) {
    Atomics.wait(never, 0, 0, patienceMs / 10)
    const now = performance.now()
    // If this thread was frozen as well, the main thread may have ticked since.
    const frozen = now - looked > patienceMs
    looked = now
    const count = Atomics.load(ticks, 0)
    if (count !== seen) {
      seen = count
      since = now
    }
    if (frozen || now - since > patienceMs) {
      const what = frozen ? 'was frozen' : 'hung'
      const msg = `the process ${what} for more than ${patienceMs / 1000} s: the watchdog ends the process`
      const line = JSON.stringify({ level: 60, time: Date.now(), pid: process.pid, msg })
      process.getBuiltinModule('node:fs').writeSync(2, `${line}\n`)
      process.kill(process.pid, 'SIGKILL')
    }
  }
}
