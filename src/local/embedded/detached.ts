import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from './directories.ts'
import { StartError } from './errors.ts'
import { isAlive, type ProcessId, processStart } from './processes.ts'

/** The content of a pid file `<dir>/<name>.json`. */
export type Recorded<Extra = object> = ProcessId & { port: number } & Extra

export interface Command {
  command: string
  args: string[]
  env?: Record<string, string>
  uid?: number
  gid?: number
}

const LOG_LIMIT = 10 * 1024 * 1024

/**
 * Starts a process in its own group, so that neither Ctrl-C nor the end of this process stops it. The process writes to
 * `<dir>/<name>.log`; its pid file replaces the file of an earlier process.
 */
export async function startDetached<Extra extends object>(
  dir: string,
  name: string,
  { command, args, ...options }: Command,
  facts: { port: number } & Extra,
): Promise<Recorded<Extra>> {
  makeDirectory(dir)
  const log = openSync(rotated(logPath(dir, name)), 'a', 0o600)
  try {
    // The current directory may be unreadable for the process, or may be removed later.
    const child = spawn(command, args, { ...options, cwd: '/', detached: true, stdio: ['ignore', log, log] })
    const failed = once(child, 'error')
    if (child.pid === undefined) {
      const [error] = await failed
      throw new StartError(`${command} cannot be run: ${(error as Error).message}`)
    }
    failed.catch(() => {})
    child.unref()
    // A process that has already ended gets a start time that matches nothing.
    const recorded = { ...facts, pid: child.pid, started: processStart(child.pid) ?? 'ended' }
    record(dir, name, recorded)
    return recorded
  } finally {
    closeSync(log)
  }
}

/** Writes the pid file of a process. */
export function record(dir: string, name: string, recorded: Recorded): void {
  const path = join(dir, `${name}.json`)
  writeFileSync(`${path}.new`, `${JSON.stringify(recorded)}\n`)
  renameSync(`${path}.new`, path)
}

/** The last pid file, even of an ended process, whose port is reused. */
export function lastRecorded<Extra extends object>(dir: string, name: string): Partial<Recorded<Extra>> {
  try {
    return JSON.parse(readFileSync(join(dir, `${name}.json`), 'utf8')) ?? {}
  } catch {
    return {}
  }
}

/** The process of an earlier start, if it is still running. */
export function adopt<Extra extends object>(dir: string, name: string): Recorded<Extra> | undefined {
  const last = lastRecorded<Extra>(dir, name)
  const { pid, started, port } = last
  return pid && started && port && isAlive({ pid, started }) ? (last as Recorded<Extra>) : undefined
}

export function logPath(dir: string, name: string): string {
  return join(dir, `${name}.log`)
}

/** The last lines of the log after position `from`. */
export function logTail(dir: string, name: string, from = 0, lines = 5): string {
  try {
    const log = readFileSync(logPath(dir, name))
    const written = log.subarray(from > log.length ? 0 : from).toString('utf8')
    return written.trim().split('\n').slice(-lines).join('\n')
  } catch {
    return ''
  }
}

export function logSize(dir: string, name: string): number {
  return statSync(logPath(dir, name), { throwIfNoEntry: false })?.size ?? 0
}

function rotated(path: string): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_LIMIT) renameSync(path, `${path}.1`)
  return path
}
