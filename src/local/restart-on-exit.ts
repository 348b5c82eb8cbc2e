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
  /** Called after a restart, which can change the port. */
  onRestart: (server: S) => void
  print: (message: string) => void
}

const LOOK_EVERY_MS = 250

/** Starts a server, and restarts it when it ends. */
export function restartOnExit<S extends Server>(options: Options<S>): { started: Promise<S>; stop(): Promise<void> } {
  const { name, start, onRestart, print } = options
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
      print(`${name} has ended. Restarting ${name}.`)
      alive = await restart(pauseAfter)
      onRestart(alive)
    }
  }

  async function restart(pauseAfter: (livedMs: number) => number): Promise<S> {
    for (;;) {
      try {
        return await begin()
      } catch (error) {
        signal.throwIfAborted()
        const pause = pauseAfter(0)
        print(`${reasonOf(error)}\nThe next attempt is in ${pause / 1000} s.`)
        await sleep(pause, undefined, { signal })
      }
    }
  }

  const started = begin()
  // Ends by a stop, or by a failed start, which `started` reports.
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
