import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running, Started } from '../runtime/process.ts'
import { StartError } from './embedded/errors.ts'

export interface Supervised {
  /** The facts that the process reported when it was ready for the first time. */
  ready: Promise<Running['ready']>
  /** Restarts the process with the current environment. */
  renew(): void
  stop(): Promise<void>
  /** Ends a running stop at once, without waiting for running work. */
  hurry(): void
}

interface Options {
  name: string
  file: URL
  /** Options of Node. */
  options?: string[]
  env: () => NodeJS.ProcessEnv
  print: (message: string) => void
}

const LONGEST_STOP_MS = 15_000
const LONGEST_RENEWAL_MS = 2000

/**
 * Runs a process and restarts it when it ends. The process is connected by a channel: when this process ends, even by kill -9,
 * the other process stops itself.
 */
export function superviseProcess({ name, file, options = [], env, print }: Options): Supervised {
  const first = Promise.withResolvers<Running['ready']>()
  const stopping = new AbortController()
  const pauseAfter = backoff()
  let child: ChildProcess
  let renewing = false

  async function live(): Promise<void> {
    for (let started = false; ; ) {
      const began = Date.now()
      // The process has its own group: Ctrl-C reaches only this process, which stops the others in order.
      child = fork(file, {
        ...{ execArgv: [...process.execArgv, ...options], env: env() },
        ...{ detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
      })
      const { reason, final } = await lifeOf(name, child, (ready) => {
        started = true
        first.resolve(ready)
      })
      if (stopping.signal.aborted) return
      // After a kill or without a database, the next start may succeed.
      if (final && !started && !renewing) return first.reject(new StartError(reason))
      if (!renewing) {
        const pause = pauseAfter(Date.now() - began)
        print(`${reason} The ${name} process restarts in ${pause / 1000} s.`)
        await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
      }
      renewing = false
      if (stopping.signal.aborted) return
    }
  }

  async function end(): Promise<void> {
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_STOP_MS)
    await life
    clearTimeout(late)
  }

  const life = live()
  // After a stop before the process is ready, the reason is not needed.
  first.promise.catch(() => {})
  return {
    ready: first.promise,
    renew() {
      renewing = true
      const old = child
      old.kill('SIGTERM')
      // Its server is gone, so that it can finish little.
      setTimeout(() => old.kill('SIGKILL'), LONGEST_RENEWAL_MS).unref()
    },
    stop() {
      stopping.abort()
      return end()
    },
    hurry() {
      child.kill('SIGKILL')
    },
  }
}

interface End {
  /** Why the process ended, in a sentence. */
  reason: string
  final: boolean
}

async function lifeOf(name: string, child: ChildProcess, onReady: (ready: Running['ready']) => void): Promise<End> {
  let failure: End | undefined
  child.on('message', (message: Started) => {
    if ('ready' in message) onReady(message.ready)
    else failure = { reason: message.failed, final: message.final }
  })
  try {
    // A last message can arrive after the end of the process, but not after the end of the channel.
    const [[code, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
    return failure ?? { reason: `The ${name} process has ended (${signal ?? `exit code ${code}`}).`, final: false }
  } catch (error) {
    return { reason: `The ${name} process cannot be run: ${(error as Error).message}.`, final: false }
  }
}

const SHORTEST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000

/** The pause before the next start, which grows with repeated failures. */
export function backoff(): (livedMs: number) => number {
  let pause = SHORTEST_PAUSE_MS / 2
  return (livedMs) => {
    pause = livedMs > LONGEST_PAUSE_MS ? SHORTEST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS)
    return pause
  }
}
