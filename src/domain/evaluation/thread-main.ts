import { parentPort, workerData } from 'node:worker_threads'
import { type Job, run } from './jobs.ts'

/** What the evaluation thread runs: one job at a time, and after each the CPU time that the thread has used so far. */

/** Where the thread is, for whoever ends it: the index of the program or condition that is looked at. */
const { progress } = workerData as { progress: Int32Array }

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

parentPort!.on('message', (job: Job) => {
  Atomics.store(progress, 0, 0)
  try {
    const result = run(job, (index) => Atomics.store(progress, 0, index))
    parentPort!.postMessage({ result, cpuMs: cpuMs() })
  } catch (error) {
    parentPort!.postMessage({ error, cpuMs: cpuMs() })
  }
})
parentPort!.postMessage({ cpuMs: cpuMs() })
