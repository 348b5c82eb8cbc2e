import type { Logger } from 'pino'
import type { Orm } from '../persistence/orm.ts'
import { wakeAllFor, wakeOverdue } from '../persistence/system/wakeups.ts'
import { ensureNamespace, type Temporal } from './client.ts'
import { type Periodic, periodically } from './periodically.ts'

const BATCH = 1000

export interface SweepOptions {
  system: Orm
  temporal: Temporal
  logger: Logger
  clock: () => Date
  everyMs?: number
  /** How long after its due moment a process counts as overdue: in a burst, processes wait for their turn. */
  patienceMs?: number
}

/**
 * Repairs a loss of data in Temporal: each minute, wakes the processes whose due moment has passed; after a change of the
 * Temporal database, wakes every process with a due moment.
 */
export function startSweep(options: SweepOptions): Periodic {
  const { logger, everyMs = 60_000 } = options
  const onFailure = (error: unknown) => logger.warn({ err: error }, 'the sweep failed; the next sweep follows')
  return periodically(() => once(options), { everyMs, onFailure })
}

async function once(options: SweepOptions): Promise<void> {
  const { system, logger, clock, patienceMs = 30_000 } = options
  const count = await wakeOverdue(
    system,
    { clock, patienceMs },
    'the sweep: the due moment had passed, or the workflow had no timer for the due moment',
    BATCH,
  )
  if (count > 0) logger.warn({ count }, 'the sweep woke processes whose due moment had passed or had no timer')
  await wakeAllAtNewTemporal(options)
}

/** Ensures the namespace, and wakes every process with a due moment if the namespace is in another Temporal database. */
export async function wakeAllAtNewTemporal({ system, temporal, logger, clock }: SweepOptions): Promise<void> {
  const id = await ensureNamespace(temporal)
  const count = await wakeAllFor(
    system,
    id,
    clock,
    'the sweep: the Temporal database is new and has no workflow of the process',
  )
  if (count > 0) logger.warn({ count }, 'the Temporal database is new: every process with a due moment was woken')
}
