import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running, Started } from '../runtime/process.ts'
import { StartError } from './embedded/errors.ts'

export interface Supervised {
  /** What it said when it was ready for the first time. */
  ready: Promise<Running['ready']>
  /** Starts it anew, with the environment as it is now. */
  renew(): void
  stop(): Promise<void>
  /** Stops waiting for what it is doing: for somebody who is stopping it already. */
  hurry(): void
}

interface Options {
  name: string
  file: URL
  env: () => NodeJS.ProcessEnv
  say: (message: string) => void
}

const LONGEST_STOP_MS = 15_000
const LONGEST_RENEWAL_MS = 2000

/**
 * Runs one of our processes and starts it again when it dies. It hangs on our end of a channel: when we are gone,
 * by kill -9 even, it stops by itself.
 */
export function superviseProcess({ name, file, env, say }: Options): Supervised {
  const first = Promise.withResolvers<Running['ready']>()
  const stopping = new AbortController()
  const pauseAfter = backoff()
  let child: ChildProcess
  let renewing = false

  async function live(): Promise<void> {
    for (let started = false; ; ) {
      const began = Date.now()
      // A group of its own: Ctrl-C reaches only us, and we stop it in order.
      child = fork(file, { env: env(), detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      const { reason, final } = await lifeOf(name, child, (ready) => {
        started = true
        first.resolve(ready)
      })
      if (stopping.signal.aborted) return
      // A process that was killed, or that met a database that is away, may do better at the next start.
      if (final && !started && !renewing) return first.reject(new StartError(reason))
      if (!renewing) {
        const pause = pauseAfter(Date.now() - began)
        say(`${reason} It is started again in ${pause / 1000} s.`)
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
  // Whoever stops us before it is ready has no use for the reason.
  first.promise.catch(() => {})
  return {
    ready: first.promise,
    renew() {
      renewing = true
      const old = child
      old.kill('SIGTERM')
      // What it worked with is gone, so there is little that it could finish.
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
  /** How it ended, in a sentence. */
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
    // Its last words may arrive after its end, but not after the end of the channel.
    const [[code, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
    return failure ?? { reason: `The ${name} process has ended (${signal ?? `exit code ${code}`}).`, final: false }
  } catch (error) {
    return { reason: `The ${name} process cannot be run: ${(error as Error).message}.`, final: false }
  }
}

const SHORTEST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000

/** How long to wait before the next start: ever longer for something that dies again and again. */
export function backoff(): (livedMs: number) => number {
  let pause = SHORTEST_PAUSE_MS / 2
  return (livedMs) => {
    pause = livedMs > LONGEST_PAUSE_MS ? SHORTEST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS)
    return pause
  }
}
