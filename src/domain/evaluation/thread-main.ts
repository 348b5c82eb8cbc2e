import { parentPort, workerData } from 'node:worker_threads'
import { type Job, run } from './jobs.ts'

/** The program of the evaluation thread: runs one job at a time, and posts the CPU time of the thread after each job. */

/** The index of the current program or condition, which the main thread reads when it ends this thread. */
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
