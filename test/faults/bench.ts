import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/config.ts'
import { makeKey } from '../../src/domain/kernel/keyring.ts'
import { freePorts } from '../../src/local/embedded/ports.ts'
import { startPostgres } from '../../src/local/embedded/postgres.ts'
import { startTemporal } from '../../src/local/embedded/temporal.ts'

export const parts = ['api', 'worker', 'temporal', 'postgres'] as const
export type Part = (typeof parts)[number]

/** The real service as it runs in production: four processes that know nothing of each other's lives. */
export interface Bench {
  dir: string
  url: string
  databaseUrl: string
  temporalAddress: string
  /** By kill -9; it is started again after the pause. A part that is down already stays so for the pause. */
  kill(part: Part, pauseMs: number): Promise<void>
  /** As a kill, and its data is gone too. */
  loseTemporal(pauseMs: number): Promise<void>
  close(): Promise<void>
}

interface Kept {
  kill(pauseMs: number, meanwhile?: () => void): Promise<void>
  stop(): Promise<void>
}

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

interface BenchOptions {
  minuteMs: number
  say: (text: string) => void
  postgresSettings?: Record<string, string>
}

export async function openBench({ minuteMs, say, postgresSettings: settings }: BenchOptions): Promise<Bench> {
  const dir = mkdtempSync(join(tmpdir(), 'upbeat-faults-'))
  const cacheDir = readConfig(process.env).CACHE_DIR
  const quiet = () => {}
  const postgres = await keepServer(() => startPostgres({ dir: join(dir, 'postgres'), print: quiet, settings }))
  const temporal = await keepServer(() => startTemporal({ dir: join(dir, 'temporal'), cacheDir, print: quiet }))
  const [port] = await freePorts([undefined])
  const fixed = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, CACHE_DIR: cacheDir, DATA_DIR: dir, HOST: '127.0.0.1' },
    ...{ PORT: String(port), TEST_MINUTE_MS: String(minuteMs), RATE_LIMITS: 'off', ENCRYPTION_KEYS: makeKey() },
    // Starts take less time.
    ...{ NODE_COMPILE_CACHE: join(cacheDir, 'compiled'), SNAPSHOT_DIR: join(dir, 'snapshots') },
  }
  // A server that finds its port taken comes back on another one; what is started after that must know.
  const env = () => ({ ...fixed, DATABASE_URL: postgres.current.url, TEMPORAL_ADDRESS: temporal.current.address })
  const kept: Record<Part, Kept> = {
    postgres,
    temporal,
    api: keepProcess(file('src/main.ts'), env, join(dir, 'api.log')),
    worker: keepProcess(file('worker/main.ts'), env, join(dir, 'worker.log')),
  }

  const addressOf = (part: Part) => (part === 'postgres' ? postgres.current.url : temporal.current.address)

  async function killPart(part: Part, pauseMs: number, meanwhile?: () => void): Promise<void> {
    const before = addressOf(part)
    await kept[part].kill(pauseMs, meanwhile)
    if (addressOf(part) === before) return
    say(`${part} came back on another port`)
    await Promise.all([kept.api.kill(0), kept.worker.kill(0)])
  }

  return {
    dir,
    url: `http://127.0.0.1:${port}`,
    get databaseUrl() {
      return postgres.current.url
    },
    get temporalAddress() {
      return temporal.current.address
    },
    kill: killPart,
    loseTemporal: (pauseMs) =>
      killPart('temporal', pauseMs, () => rmSync(join(dir, 'temporal'), { recursive: true, force: true })),
    async close() {
      await Promise.all([kept.api.stop(), kept.worker.stop()])
      await Promise.all([temporal.stop(), postgres.stop()])
    },
  }
}

interface Server {
  pid: number
  alive(): boolean
  stop(): Promise<void>
}

async function keepServer<S extends Server>(start: () => Promise<S>): Promise<Kept & { current: S }> {
  let current = await start()
  let turn = Promise.resolve()
  const stopping = new AbortController()
  return {
    get current() {
      return current
    },
    kill(pauseMs, meanwhile) {
      turn = turn.then(async () => {
        if (current.alive()) process.kill(current.pid, 'SIGKILL')
        // The end does not wait for a long pause.
        await sleep(pauseMs, undefined, stopping).catch(() => {})
        if (stopping.signal.aborted) return
        meanwhile?.()
        current = await start()
      })
      return turn
    },
    async stop() {
      stopping.abort()
      await turn.catch(() => {})
      await current.stop()
    },
  }
}

/** Starts it again whenever it ends, by a kill or by its own decision, as a production's supervisor would. */
function keepProcess(path: string, env: () => NodeJS.ProcessEnv, logPath: string): Kept {
  const log = openSync(logPath, 'a')
  let child: ChildProcess | undefined
  let pause = 0
  let stopping = false

  async function live(): Promise<void> {
    while (!stopping) {
      child = spawn(process.execPath, [path], { env: env(), stdio: ['ignore', log, log] })
      await once(child, 'exit')
      await sleep(Math.max(pause, 200))
      pause = 0
    }
  }

  const life = live()
  return {
    async kill(pauseMs) {
      pause = pauseMs
      child?.kill('SIGKILL')
    },
    async stop() {
      stopping = true
      child?.kill('SIGTERM')
      const slow = setTimeout(() => child?.kill('SIGKILL'), 12_000)
      await life
      clearTimeout(slow)
    },
  }
}
