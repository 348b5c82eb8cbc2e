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
  /** How long after its due moment a process counts as overlooked: many at once take their turns meanwhile. */
  patienceMs?: number
}

/**
 * Heals what Temporal has lost. Each minute it wakes processes whose due moment has passed, and once, when it meets
 * a Temporal it does not know, every process that is not done.
 */
export function startSweep(options: SweepOptions): Periodic {
  const { logger, everyMs = 60_000 } = options
  const onFailure = (error: unknown) => logger.warn({ err: error }, 'the sweep failed; it is tried again')
  return periodically(() => once(options), { everyMs, onFailure })
}

async function once(options: SweepOptions): Promise<void> {
  const { system, logger, clock, patienceMs = 30_000 } = options
  const now = clock()
  const before = new Date(now.getTime() - patienceMs)
  const count = await wakeOverdue(
    system,
    before,
    now,
    'the sweep, because its due moment had passed or had no timer',
    BATCH,
  )
  if (count > 0) logger.warn({ count }, 'processes overlooked their due moment or have no timer for it; waking them')
  await wakeAllAtNewTemporal(options)
}

/** Makes sure of the namespace, and wakes everything if it is not the one we knew. */
export async function wakeAllAtNewTemporal({ system, temporal, logger, clock }: SweepOptions): Promise<void> {
  const id = await ensureNamespace(temporal)
  const count = await wakeAllFor(system, id, clock(), 'the sweep, because Temporal had lost it')
  if (count > 0) logger.warn({ count }, 'this Temporal is new to us; waking every open process')
}
