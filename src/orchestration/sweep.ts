import type { Logger } from 'pino'
import type { Orm } from '../persistence/orm.ts'
import { recall, remember } from '../persistence/system/installation.ts'
import { addWakeups, overdue, unfinished } from '../persistence/system/wakeups.ts'
import { ensureNamespace, type Temporal } from './client.ts'

const NAMESPACE_KEY = 'temporal.namespace_id'
const BATCH = 1000

export interface SweepOptions {
  system: Orm
  temporal: Temporal
  logger: Logger
  clock: () => Date
  everyMs?: number
  /** How long after its due moment a process counts as overlooked. */
  patienceMs?: number
}

/**
 * Heals what Temporal has lost. Each minute it wakes processes whose due moment has passed, and once, when it meets
 * a Temporal it does not know, every process that is not done.
 */
export function startSweep(options: SweepOptions): { now(): Promise<void>; close(): Promise<void> } {
  const { logger, everyMs = 60_000 } = options
  let running: Promise<void> | undefined

  const sweep = () => {
    running ??= once(options)
      .catch((error) => logger.warn({ err: error }, 'the sweep failed; it is tried again'))
      .finally(() => {
        running = undefined
      })
    return running
  }

  const timer = setInterval(sweep, everyMs)
  return {
    now: sweep,
    async close() {
      clearInterval(timer)
      await running
    },
  }
}

async function once(options: SweepOptions): Promise<void> {
  await wakeOverdue(options)
  await greet(options)
}

async function wakeOverdue({ system, logger, clock, patienceMs = 10_000 }: SweepOptions): Promise<void> {
  const now = clock()
  const late = await overdue(system, new Date(now.getTime() - patienceMs), BATCH)
  if (late.length === 0) return
  logger.warn({ count: late.length }, 'processes overlooked their due moment; waking them')
  await addWakeups(system, late, 'the sweep, because its due moment had passed', now)
}

/** Makes sure of the namespace, and wakes everything if it is not the one we knew. */
export async function greet({ system, temporal, logger, clock }: SweepOptions): Promise<void> {
  const id = await ensureNamespace(temporal)
  const known = await recall(system, NAMESPACE_KEY)
  if (known === id) return
  const now = clock()
  const all = await unfinished(system)
  if (all.length > 0) logger.warn({ count: all.length }, 'this Temporal is new to us; waking every open process')
  await addWakeups(system, all, 'the sweep, because Temporal had lost it', now)
  await remember(system, NAMESPACE_KEY, id, now)
}
