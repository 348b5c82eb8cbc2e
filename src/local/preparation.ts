import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from './embedded/errors.ts'
import type { Response, Tasks } from './prepare.ts'
import { backoff } from './supervise.ts'

export interface Preparation {
  /** Has the preparing process do this; where that process dies, another one does it again. */
  run<T extends keyof Tasks>(task: T, input: () => Parameters<Tasks[T]>[0]): Promise<Awaited<ReturnType<Tasks[T]>>>
  stop(): Promise<void>
}

interface Options {
  file?: URL
  env?: NodeJS.ProcessEnv
  say: (message: string) => void
  /** Whether a failure may pass by itself. Without it, each failure is final. */
  retries: (task: keyof Tasks) => boolean
}

interface Outcome {
  output?: unknown
  failed?: string
  final?: boolean
}

/** The short-lived process that does what only a start needs. */
export function openPreparation(options: Options): Preparation {
  const { file = new URL('./prepare.ts', import.meta.url), env = process.env, say, retries } = options
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  let lastId = 0

  function alive(): ChildProcess {
    if (child?.connected) return child
    child = fork(file, { env, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    child.setMaxListeners(50)
    // Without a listener, a process that cannot be run would end this one.
    child.on('error', () => {})
    return child
  }

  /** Undefined where the process ended before it answered. */
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
        say(`${failed ?? 'The preparing process has ended.'} It is tried again in ${pause / 1000} s.`)
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
