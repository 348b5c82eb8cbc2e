import type { Condition, ConditionOutcome, Document, Job, Program, Result } from './jobs.ts'
import { type Ended, EvaluationThread } from './thread.ts'
import type { EventDocument, EventMatches, TriggerProgram } from './trigger-jobs.ts'

/**
 * Compiles and evaluates programs of users, such as regular expressions and JSON paths, on a thread that can be ended, so
 * that an expensive program does not block the event loop. The first job starts the thread; after `IDLE_MS` without a job
 * the thread is ended.
 */
export interface Evaluator {
  /** The problem of each program, as a message for its author; null for a valid program. */
  compile(pageId: number, programs: Program[]): Promise<(string | null)[] | Ended>
  /** The outcomes of conditions for one document, in order; with `first_unmet`, up to the first condition that is not met. */
  evaluate(pageId: number, evaluation: Evaluation): Promise<ConditionOutcome[] | Ended>
  /** What triggers find in an event, in order, and the redacted copy of the event. */
  match(pageId: number, event: EventDocument, programs: TriggerProgram[]): Promise<EventMatches | Ended>
  close(): Promise<void>
}

export interface Evaluation {
  document: Document
  conditions: Condition[]
  until: 'first_unmet' | 'last'
}

const LIMITS = { cpuMs: 500, elapsedMs: 5000 }
/** Waiting documents are in memory. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024
const MAX_WAITING_MS = 5000
const IDLE_MS = 60_000

interface Waiting {
  job: Job
  bytes: number
  since: number
  resolve(result: Result | Ended): void
  reject(error: unknown): void
}

interface Options {
  startThread?: () => Pick<EvaluationThread, 'run' | 'end'>
  idleMs?: number
}

export function openEvaluator({
  startThread = () => new EvaluationThread(LIMITS),
  idleMs = IDLE_MS,
}: Options = {}): Evaluator {
  // One job of each page in turn: a page whose programs are expensive delays another page by one job.
  const waiting = new Map<number, Waiting[]>()
  let waitingBytes = 0
  let thread: Pick<EvaluationThread, 'run' | 'end'> | undefined
  let idle: NodeJS.Timeout | undefined
  let isBusy = false
  let isClosed = false

  function submit(pageId: number, job: Job): Promise<Result | Ended> {
    const bytes = sizeOf(job)
    if (isClosed || waitingBytes + bytes > MAX_WAITING_BYTES) return Promise.resolve({ ended: 'overloaded' })
    const { promise, resolve, reject } = Promise.withResolvers<Result | Ended>()
    const queue = waiting.get(pageId) ?? []
    waiting.set(pageId, queue)
    queue.push({ job, bytes, since: performance.now(), resolve, reject })
    waitingBytes += bytes
    if (!isBusy) void work()
    return promise
  }

  function take(): Waiting | undefined {
    const [entry] = waiting
    if (!entry) return undefined
    const [pageId, queue] = entry
    const next = queue.shift()!
    waiting.delete(pageId)
    if (queue.length > 0) waiting.set(pageId, queue)
    waitingBytes -= next.bytes
    return next
  }

  async function work(): Promise<void> {
    isBusy = true
    clearTimeout(idle)
    for (let next = take(); next; next = take()) {
      if (isClosed || performance.now() - next.since > MAX_WAITING_MS) next.resolve({ ended: 'overloaded' })
      else await run(next)
    }
    isBusy = false
    idle = setTimeout(replaceThread, idleMs).unref()
  }

  async function run({ job, resolve, reject }: Waiting): Promise<void> {
    try {
      thread ??= startThread()
      const result = await thread.run(job)
      resolve(result)
      if ('ended' in result) await replaceThread()
    } catch (error) {
      if (isClosed) resolve({ ended: 'overloaded' })
      else reject(error)
      await replaceThread()
    }
  }

  /** Ends the thread; the next job starts a new thread. */
  async function replaceThread(): Promise<void> {
    const old = thread
    thread = undefined
    await old?.end()
  }

  return {
    compile: (pageId, programs) => submit(pageId, { do: 'compile', programs }) as ReturnType<Evaluator['compile']>,
    evaluate: (pageId, evaluation) =>
      submit(pageId, { do: 'evaluate', ...evaluation }) as ReturnType<Evaluator['evaluate']>,
    match: (pageId, event, programs) =>
      submit(pageId, { do: 'match', event, programs }) as ReturnType<Evaluator['match']>,
    async close() {
      isClosed = true
      clearTimeout(idle)
      await replaceThread()
    },
  }
}

/** The approximate memory of a waiting job. */
function sizeOf(job: Job): number {
  if (job.do === 'compile') return 1000 * job.programs.length
  return 1000 + (job.do === 'match' ? 2 * job.event.text.length : job.document.body.byteLength)
}
