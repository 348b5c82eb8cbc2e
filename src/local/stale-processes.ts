import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ProcessId, stopProcess } from './embedded/processes.ts'

const PATIENCE_MS = 12_000

/**
 * The processes of a start that was killed stop by themselves; one that follows at once must wait for them, because
 * they still hold the port. Processes that somebody started apart are left alone.
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
