import { spawn } from 'node:child_process'

interface LongCommand {
  command: string
  args: string[]
  /** The progress message, from the elapsed seconds and the last line of the output. */
  progress: (seconds: number, lastLine: string) => string
  print(message: string): void
  timeoutMs?: number
  signal?: AbortSignal
  everyMs?: number
}

const REPORT_EVERY_MS = 10_000
const KEPT_OUTPUT = 2000

/** Runs a command that may take minutes. Returns undefined for a success, else the reason of the failure. */
export function failureOf({
  command,
  args,
  progress,
  print,
  timeoutMs,
  signal,
  everyMs = REPORT_EVERY_MS,
}: LongCommand): Promise<string | undefined> {
  return new Promise((resolve) => {
    // The command has its own group, so that its child processes end with it.
    const child = spawn(command, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const end = () => killGroup(child.pid)
    const late = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs)
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
    const began = Date.now()
    let output = ''
    const report = () => {
      const lastLine = output.trimEnd().split('\n').at(-1)
      print(progress(Math.round((Date.now() - began) / 1000), lastLine || 'starting'))
    }
    const reporting = setInterval(report, everyMs)
    const listen = (chunk: Buffer) => {
      output = (output + chunk).slice(-KEPT_OUTPUT)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    const finish = (failure?: string) => {
      clearInterval(reporting)
      clearTimeout(late)
      signal?.removeEventListener('abort', end)
      resolve(failure)
    }
    child.once('error', (error: NodeJS.ErrnoException) =>
      finish(error.code === 'ENOENT' ? `${command} is not installed` : error.message),
    )
    child.once('close', (code, signal) => {
      if (code === 0) return finish()
      const last = output.trim().split('\n').slice(-3).join(' ')
      finish(last || `${command} ended with ${signal ?? code}`)
    })
  })
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
