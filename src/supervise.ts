import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from './embedded/errors.ts'

export interface Supervised {
  ready: Promise<Record<string, number | string>>
  stop(): Promise<void>
}

type Say = (message: string) => void

const RESTART_MS = 1000
const LONGEST_STOP_MS = 15_000

/**
 * Runs one of our processes and starts it again when it dies. It hangs on our end of a channel: when we are gone,
 * by kill -9 even, it stops by itself.
 */
export function superviseProcess(name: string, file: URL, env: NodeJS.ProcessEnv, say: Say): Supervised {
  let stopping = false
  let child = spawn(file, env)
  const ready = readiness(name, child)

  async function watch(): Promise<void> {
    await ready
    while (!stopping) {
      await ended(child)
      if (stopping) return
      say(`The ${name} process has ended; starting it again.`)
      await sleep(RESTART_MS)
      if (stopping) return
      child = spawn(file, env)
    }
  }
  watch().catch(() => {})

  return {
    ready,
    async stop() {
      stopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      const gone = ended(child)
      if ((await Promise.race([gone, sleep(LONGEST_STOP_MS, 'late')])) === 'late') child.kill('SIGKILL')
    },
  }
}

function spawn(file: URL, env: NodeJS.ProcessEnv): ChildProcess {
  // A group of its own: Ctrl-C reaches only us, and we stop it in order.
  return fork(file, { env, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function readiness(name: string, child: ChildProcess): Supervised['ready'] {
  const told = once(child, 'message').then(([message]) => (message as { ready: Awaited<Supervised['ready']> }).ready)
  const died = ended(child).then(() => {
    throw new StartError(`The ${name} process did not start.`)
  })
  return Promise.race([told, died])
}

interface Server {
  alive(): boolean
  stop(): Promise<void>
}

/** Starts a server of ours again when it has died under us. */
export function keepAlive<S extends Server>(name: string, first: S, start: () => Promise<S>, say: Say) {
  let current = first
  let restarting: Promise<void> | undefined
  const timer = setInterval(() => {
    if (restarting || current.alive()) return
    say(`${name} has died; starting it again.`)
    restarting = start()
      .then((next) => {
        current = next
      })
      .catch((error) => say(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        restarting = undefined
      })
  }, 500)
  return {
    get current() {
      return current
    },
    async stop() {
      clearInterval(timer)
      await restarting
      await current.stop()
    },
  }
}
