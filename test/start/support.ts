import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/config.ts'
import { isAlive, type ProcessId, processesWith } from '../../src/local/embedded/processes.ts'
import { until } from '../support/wait.ts'

/** A program of this repository, run as at a terminal: in a process group of its own. */
export interface Program {
  pid: number
  out(): string
  err(): string
  /** Waits until it has said this. */
  said(text: RegExp): Promise<RegExpExecArray>
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | string>
  /** As the terminal does for Ctrl-C. */
  interrupt(): void
  kill(signal: NodeJS.Signals): void
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
const running = new Set<Program>()

const ordinary = {
  ...{ PATH: process.env.PATH, HOME: process.env.HOME, CACHE_DIR: readConfig(process.env).CACHE_DIR },
  ...{ HOST: '127.0.0.1', PORT: '0', TEST_MINUTE_MS: '1000', RATE_LIMITS: 'off' },
}

export const run = (file: string, args: string[], env: Record<string, string> = {}): Program =>
  launch(process.execPath, [join(root, file), ...args], env)

function launch(command: string, args: string[], env: Record<string, string>): Program {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...ordinary, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out = listen(child.stdout)
  const err = listen(child.stderr)
  const program: Program = {
    pid: child.pid!,
    out,
    err,
    async said(text) {
      const said = () => out() + err()
      // Whatever it says is progress.
      await until(said, (all) => text.test(all) || over(child)).catch(() => {})
      const found = text.exec(said())
      if (!found) throw new Error(`"${text}" was not said, but:\n${said()}`)
      return found
    },
    ended: once(child, 'close').then(([code, signal]) => {
      running.delete(program)
      return signal ?? code
    }),
    interrupt: () => void process.kill(-child.pid!, 'SIGINT'),
    kill: (signal) => void child.kill(signal),
  }
  running.add(program)
  return program
}

/** As npm does it, by a shell: what it is sent must reach the program. */
export const start = (env: Record<string, string>, ...args: string[]) =>
  launch('sh', ['-c', [scripts.start, ...args].join(' ')], {
    ...env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  })

function over(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function listen(stream: NodeJS.ReadableStream | null): () => string {
  let said = ''
  stream?.on('data', (chunk) => {
    said += chunk
  })
  return () => said
}

const READY = /Upbeat is ready\.\n {2}Page +(http:\S+)\n/

export async function ready(program: Program): Promise<string> {
  const [, url] = await program.said(READY)
  return url!.replace(/\/$/, '')
}

export interface Ground {
  dir: string
  env: Record<string, string>
  /** What runs for this directory, by the name of its record. */
  process(name: Name): ProcessId & { port: number; [fact: string]: unknown }
  /** Everything of it that lives. */
  alive(): number[]
  databaseUrl(): string
  clear(): Promise<void>
}

type Name = 'api' | 'worker' | 'postgres' | 'temporal'

export function openGround(): Ground {
  const dir = mkdtempSync(join(tmpdir(), 'upbeat-start-'))
  const seen = new Map<string, ProcessId>()
  const recorded = (name: Name) => {
    const folder = name === 'postgres' || name === 'temporal' ? join(dir, name) : dir
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
  }
  function alive(): number[] {
    for (const name of ['api', 'worker', 'postgres', 'temporal'] as const) {
      try {
        const one = recorded(name)
        seen.set(`${one.pid} ${one.started}`, one)
      } catch {
        // It was never started.
      }
    }
    const known = [...seen.values()].filter(isAlive).map((one) => one.pid)
    return [...new Set([...known, ...processesWith(dir).map((one) => one.pid)])]
  }
  return {
    dir,
    env: { DATA_DIR: dir },
    process: recorded,
    alive,
    databaseUrl() {
      const password = readFileSync(join(dir, 'postgres', 'password'), 'utf8').trim()
      return `postgres://postgres:${password}@127.0.0.1:${recorded('postgres').port}/upbeat`
    },
    async clear() {
      for (const program of running) program.kill('SIGKILL')
      for (const pid of alive()) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It has ended already.
        }
      }
      await until(alive, (pids) => pids.length === 0).catch(() => {})
      rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

/** Asks until the answer has this status: what has just come back may need a moment. */
export function answered(ask: () => Promise<{ status: number }>, status: number): Promise<unknown> {
  return until(
    () => ask().catch((error: Error) => ({ status: 0, error })),
    (answer) => answer.status === status,
  )
}
