import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/config.ts'
import { makeKey } from '../../src/domain/kernel/keyring.ts'

/** Runs workers as processes of their own, each of which may die. */
export interface Host {
  namespace: string
  /** An API on a port of its own, which answers where it is. */
  startApi(env?: Record<string, string>): { ended: Promise<string>; port: Promise<number> }
  /** `ended` is the signal that ended it, or its exit code. */
  startWorker(env?: Record<string, string>): {
    ended: Promise<string>
    ready: Promise<void>
    kill(signal: NodeJS.Signals): void
  }
  /** What they said that is worse than a warning. */
  errors(): string[]
  /** Stops those that live. */
  close(): Promise<void>
}

const ERROR = 50
const programs = {
  worker: fileURLToPath(new URL('../../worker/main.ts', import.meta.url)),
  api: fileURLToPath(new URL('../../src/main.ts', import.meta.url)),
}

export function openHost(servers: { DATABASE_URL: string; TEMPORAL_ADDRESS: string }): Host {
  const dir = mkdtempSync(join(tmpdir(), 'upbeat-host-'))
  const logPath = join(dir, 'worker.log')
  const log = openSync(logPath, 'a')
  const { PATH, HOME } = process.env
  const { CACHE_DIR } = readConfig(process.env)
  const namespace = `host-${crypto.randomUUID()}`
  const common = {
    ...{ PATH, HOME, CACHE_DIR, DATA_DIR: dir, ENCRYPTION_KEYS: makeKey() },
    // Starts take less time.
    NODE_COMPILE_CACHE: join(CACHE_DIR, 'compiled'),
    ...{ TEMPORAL_NAMESPACE: namespace, LOG_LEVEL: 'warn', TEST_WATCHDOG_MS: '60000', ...servers },
  }
  const living = new Map<ChildProcess, Promise<string>>()

  function start(program: keyof typeof programs, env: Record<string, string>) {
    // The end of this channel ends the process: nothing else would stop it.
    const stdio = ['ignore' as const, log, log, 'ipc' as const]
    const child = spawn(process.execPath, [programs[program]], { env: { ...common, ...env }, stdio })
    const ended = once(child, 'exit').then(([code, signal]) => {
      living.delete(child)
      return String(signal ?? code)
    })
    living.set(child, ended)
    return { child, ended }
  }

  return {
    namespace,
    startApi(env = {}) {
      const { child, ended } = start('api', { PORT: '0', HOST: '127.0.0.1', ...env })
      const port = once(child, 'message').then(([said]) => (said as { ready: { port: number } }).ready.port)
      return { ended, port }
    },
    startWorker(env = {}) {
      const { child, ended } = start('worker', env)
      const ready = once(child, 'message').then(() => {})
      // One that dies before is not what waits for this.
      ready.catch(() => {})
      return { ended, ready, kill: (signal) => void child.kill(signal) }
    },
    errors() {
      const lines = readFileSync(logPath, 'utf8').split('\n').filter(Boolean)
      // Temporal's core writes lines of its own; it warns of tasks that take long, as they do on a busy machine.
      return lines.filter((line) => (line.startsWith('{') ? JSON.parse(line).level >= ERROR : !line.includes(' WARN')))
    },
    async close() {
      for (const child of living.keys()) child.kill('SIGTERM')
      const slow = setTimeout(() => {
        for (const child of living.keys()) child.kill('SIGKILL')
      }, 12_000)
      await Promise.all(living.values())
      clearTimeout(slow)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
