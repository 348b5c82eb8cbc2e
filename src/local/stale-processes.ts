import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ProcessId, stopProcess } from './embedded/processes.ts'

const PATIENCE_MS = 12_000

/**
 * Waits for the processes of a killed start, which stop by themselves but still hold the port. Processes without a supervisor
 * are left alone.
 */
export async function stopStaleProcesses(dir: string): Promise<void> {
  await Promise.all(
    ['api', 'worker'].map(async (name) => {
      const left = leftover(join(dir, `${name}.json`))
      if (left) await stopProcess(left, [['SIGTERM', PATIENCE_MS]])
    }),
  )
}

function leftover(path: string): ProcessId | undefined {
  try {
    const { pid, started, supervised } = JSON.parse(readFileSync(path, 'utf8'))
    return supervised && pid && started ? { pid, started } : undefined
  } catch {
    return undefined
  }
}
