import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process with its start time, because the system reuses pids. */
export interface ProcessId {
  pid: number
  started: string
}

/** An opaque start time of a process; undefined for an ended process or a zombie. */
export function processStart(pid: number): string | undefined {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid)
}

export function isAlive({ pid, started }: ProcessId): boolean {
  return processStart(pid) === started
}

/** Sends the signals in turn, waits after each for the end of the process, and finally kills it. */
export async function stopProcess(id: ProcessId, signals: [NodeJS.Signals, number][]): Promise<void> {
  for (const [signal, patience] of [...signals, ['SIGKILL', 5000] as const]) {
    send(id, signal)
    if (await ended(id, patience)) return
  }
}

/** The processes with this text in their command line, to find a process without a pid file. */
export function processesWith(text: string): ProcessId[] {
  return pids()
    .filter((pid) => pid !== process.pid && commandLine(pid).includes(text))
    .map((pid) => ({ pid, started: processStart(pid) }))
    .filter((id): id is ProcessId => id.started !== undefined)
}

export function commandLine(pid: number): string {
  if (process.platform !== 'linux') return ps('-ww', '-o', 'args=', '-p', String(pid)).trim()
  return readOrNothing(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? ''
}

function send(id: ProcessId, signal: NodeJS.Signals): void {
  if (!isAlive(id)) return
  try {
    process.kill(id.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function ended(id: ProcessId, patience: number): Promise<boolean> {
  const deadline = Date.now() + patience
  while (isAlive(id)) {
    if (Date.now() > deadline) return false
    await sleep(25)
  }
  return true
}

function startFromProc(pid: number): string | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`)
  if (!stat) return undefined
  // The second field is the command in parentheses, which may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, threads, ticksSinceBoot] = [fields[0], Number(fields[17]), fields[19]]
  // A killed process becomes a zombie when its first thread ends; other threads still hold ports and files.
  if (state === 'X' || (state === 'Z' && threads <= 1)) return undefined
  return `${readOrNothing('/proc/sys/kernel/random/boot_id')?.trim()} ${ticksSinceBoot}`
}

function startFromPs(pid: number): string | undefined {
  const [state, ...started] = ps('-o', 'stat=,lstart=', '-p', String(pid)).trim().split(/\s+/)
  return !state || state.startsWith('Z') ? undefined : started.join(' ')
}

function pids(): number[] {
  const names = process.platform === 'linux' ? readdirSync('/proc') : ps('-ax', '-o', 'pid=').split('\n')
  return names.map(Number).filter((pid) => pid > 0)
}

function ps(...args: string[]): string {
  // A fixed language and zone give the same text for the same start.
  return (
    spawnSync('ps', args, { encoding: 'utf8', env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' } }).stdout ?? ''
  )
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
