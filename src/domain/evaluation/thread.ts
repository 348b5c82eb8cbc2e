import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { threadOptions } from '../../runtime/without-types.ts'
import type { Job, Result } from './jobs.ts'

export interface Limits {
  /** The CPU time that one job may use. Elapsed time would depend on the other load of the machine. */
  cpuMs: number
  /** The elapsed time that one job may take: a slower machine is overloaded. */
  elapsedMs: number
}

/** A job that was ended. `at` is the index of the program or condition at which the thread was. */
export type Ended = { ended: 'too_expensive'; at: number } | { ended: 'overloaded' }

interface Message {
  result?: Result
  error?: Error
  cpuMs: number
}

type Waiting = PromiseWithResolvers<Message | Ended>

/** In MB. A thread that needs more memory is ended like a thread that needs too much CPU time. */
const MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 96 }
/** A thread ends within this time, unless a long call into the engine delays the end. */
const LONGEST_END_MS = 1000

/** A thread that runs one job at a time. After a job that was ended or failed, the thread has to be replaced. */
export class EvaluationThread {
  readonly #limits: Limits
  readonly #progress = new Int32Array(new SharedArrayBuffer(4))
  readonly #worker: Worker
  #waiting: Waiting | undefined
  #isReady = false
  /** The CPU time of the thread at the end of its last job. */
  #cpuMs = 0

  constructor(limits: Limits) {
    this.#limits = limits
    const workerData = { progress: this.#progress }
    this.#worker = new Worker(new URL('./thread-main.ts', import.meta.url), {
      workerData,
      execArgv: threadOptions(),
      resourceLimits: MEMORY,
    })
    this.#worker.unref()
    this.#worker.on('message', (message: Message) => this.#waiting?.resolve(message))
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') this.#waiting?.resolve(this.#tooExpensive())
      else this.#waiting?.reject(error)
    })
    this.#worker.on('exit', () => this.#waiting?.reject(new Error('The evaluation thread has ended')))
  }

  async run(job: Job): Promise<Result | Ended> {
    this.#worker.ref()
    const elapsed = setTimeout(() => this.#waiting?.resolve({ ended: 'overloaded' }), this.#limits.elapsedMs)
    try {
      const started = this.#isReady ? undefined : await this.#expect().promise
      if (started && 'ended' in started) return started
      if (started) this.#cpuMs = started.cpuMs
      this.#isReady = true
      const answered = this.#expect()
      this.#post(job)
      this.#watch(answered, this.#limits.cpuMs)
      const answer = await answered.promise
      if ('ended' in answer) return answer
      this.#cpuMs = answer.cpuMs
      if (answer.error) throw answer.error
      return answer.result!
    } finally {
      this.#waiting = undefined
      clearTimeout(elapsed)
      this.#worker.unref()
    }
  }

  async end(): Promise<void> {
    await Promise.race([this.#worker.terminate(), sleep(LONGEST_END_MS, undefined, { ref: false })])
  }

  #expect(): Waiting {
    this.#waiting = Promise.withResolvers()
    return this.#waiting
  }

  /** Copies the body once and then transfers the copy, because a buffer may be part of a larger buffer. */
  #post(job: Job): void {
    if (job.do === 'evaluate') {
      const body = new Uint8Array(job.document.body)
      this.#worker.postMessage({ ...job, document: { ...job.document, body } }, [body.buffer])
    } else {
      this.#worker.postMessage(job)
    }
  }

  /** Reads the CPU time of the job after `leftMs`, and ends a job above the limit. */
  #watch(job: Waiting, leftMs: number): void {
    const timer = setTimeout(async () => {
      const usage = await this.#worker.cpuUsage().catch(() => undefined)
      if (this.#waiting !== job || !usage) return
      const usedMs = (usage.user + usage.system) / 1000 - this.#cpuMs
      if (usedMs >= this.#limits.cpuMs) job.resolve(this.#tooExpensive())
      else this.#watch(job, this.#limits.cpuMs - usedMs)
    }, leftMs)
    job.promise.finally(() => clearTimeout(timer)).catch(() => {})
  }

  #tooExpensive(): Ended {
    return { ended: 'too_expensive', at: Atomics.load(this.#progress, 0) }
  }
}
