import type { Process } from '../../persistence/entities/process.ts'

const PATIENCE_MS = 60 * 1000

/** A process that something waits for longer than a minute, or whose due moment is past, is stuck. */
export function stateOf(process: Pick<Process, 'state' | 'until'>, oldestWakeup: Date | undefined, now: Date) {
  const patience = now.getTime() - PATIENCE_MS
  if (oldestWakeup && oldestWakeup.getTime() < patience) return 'stuck'
  if (oldestWakeup) return 'running'
  if (process.state === 'waiting' && process.until && process.until.getTime() < patience) return 'stuck'
  return process.state
}
