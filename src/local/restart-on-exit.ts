import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from './embedded/errors.ts'
import { backoff } from './supervise.ts'

interface Server {
  alive(): boolean
  stop(): Promise<void>
}

interface Options<S> {
  name: string
  start: (signal: AbortSignal) => Promise<S>
  /** It may have had to take another port. */
  onRestart: (server: S) => void
  say: (message: string) => void
}

const LOOK_EVERY_MS = 250

/** Starts a server of ours, and starts it again when it has died under us. */
export function restartOnExit<S extends Server>(options: Options<S>): { started: Promise<S>; stop(): Promise<void> } {
  const { name, start, onRestart, say } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let current: S | undefined

  async function begin(): Promise<S> {
    current = await start(signal)
    return current
  }

  async function watch(server: S): Promise<void> {
    const pauseAfter = backoff()
    let alive = server
    for (;;) {
      while (alive.alive()) await sleep(LOOK_EVERY_MS, undefined, { signal })
      say(`${name} has ended; it is started again.`)
      alive = await again(pauseAfter)
      onRestart(alive)
    }
  }

  async function again(pauseAfter: (livedMs: number) => number): Promise<S> {
    for (;;) {
      try {
        return await begin()
      } catch (error) {
        signal.throwIfAborted()
        const pause = pauseAfter(0)
        say(`${reasonOf(error)}\nIt is tried again in ${pause / 1000} s.`)
        await sleep(pause, undefined, { signal })
      }
    }
  }

  const started = begin()
  // It ends by being stopped, or by a start that failed, of which the caller hears from `started`.
  const life = started.then(watch).catch(() => {})
  return {
    started,
    async stop() {
      stopping.abort()
      await life
      await current?.stop()
    },
  }
}
