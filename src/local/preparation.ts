import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from './embedded/errors.ts'
import type { Response, Tasks } from './prepare.ts'
import { backoff } from './supervise.ts'

export interface Preparation {
  /** Runs a task in the preparing process; if the process ends, another process runs the task again. */
  run<T extends keyof Tasks>(task: T, input: () => Parameters<Tasks[T]>[0]): Promise<Awaited<ReturnType<Tasks[T]>>>
  stop(): Promise<void>
}

interface Options {
  file?: URL
  env?: NodeJS.ProcessEnv
  print: (message: string) => void
  /** Whether a failure may be temporary; otherwise every failure is final. */
  retries: (task: keyof Tasks) => boolean
}

interface Outcome {
  output?: unknown
  failed?: string
  final?: boolean
}

/** The short-lived process for work that only a start needs. */
export function openPreparation(options: Options): Preparation {
  const { file = new URL('./prepare.ts', import.meta.url), env = process.env, print, retries } = options
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  let lastId = 0

  function alive(): ChildProcess {
    if (child?.connected) return child
    child = fork(file, { env, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.setMaxListeners(50)
    // Without a listener, a process that cannot run would end this process.
    child.on('error', () => {})
    return child
  }

  /** Undefined if the process ended before its answer. */
  async function outcomeOf(task: keyof Tasks, input: unknown): Promise<Outcome | undefined> {
    const runner = alive()
    lastId += 1
    const id = lastId
    const over = new AbortController()
    const { signal } = over
    const answered = new Promise<Response>((resolve) => {
      const listen = (response: Response) => response.id === id && resolve(response)
      runner.on('message', listen)
      signal.addEventListener('abort', () => runner.off('message', listen))
    })
    const ended = once(runner, 'close', { signal }).then(
      () => undefined,
      () => undefined,
    )
    try {
      runner.send({ id, task, input }, () => {})
      return await Promise.race([answered, ended])
    } finally {
      over.abort()
    }
  }

  return {
    async run(task, input) {
      const pauseAfter = backoff()
      for (;;) {
        const began = Date.now()
        const outcome = await outcomeOf(task, input())
        stopping.signal.throwIfAborted()
        if (outcome && !outcome.failed) return outcome.output as never
        const { failed, final } = outcome ?? {}
        if (failed && (final || !retries(task))) throw new StartError(failed)
        const pause = pauseAfter(Date.now() - began)
        print(`${failed ?? 'The preparing process has ended.'} The next attempt is in ${pause / 1000} s.`)
        await sleep(pause, undefined, { signal: stopping.signal })
      }
    },
    async stop() {
      stopping.abort()
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    },
  }
}
