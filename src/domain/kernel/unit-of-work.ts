import type { EntityManager } from '@mikro-orm/postgresql'
import { type ProcessRef, workflowIdOf } from '../../../workflows/processes.ts'
import { isContention } from '../../persistence/failures.ts'
import { type LedgerEntry, writeLedger } from '../../persistence/ledger.ts'
import { inPageTransaction, type Purpose } from '../../persistence/transactions.ts'
import { firstScanAt } from './processes.ts'
import type { Services } from './services.ts'
import type { WorkContext } from './work-context.ts'

/** One isolated transaction, and what it writes besides its facts. */
export interface UnitOfWork {
  context: WorkContext
  /** Writes the notifications, the wake-ups, and the traces of an operation; called once the facts are flushed. */
  close(traces?: Partial<Pick<LedgerEntry, 'audit' | 'idempotency'>>): Promise<void>
}

interface Options {
  pageId: number
  /** The clock of a workflow may be ahead of the clock of the service. */
  clock?: () => Date
  purpose?: Purpose
}

/** Runs a unit of work once. `woken` are the processes that the caller has to wake after the commit. */
export async function runUnitOfWork<T>(
  { app, clock: ownClock, minuteMs, reached }: Services,
  { pageId, clock = ownClock, purpose }: Options,
  work: (unit: UnitOfWork) => Promise<T>,
): Promise<{ result: T; woken: ProcessRef[] }> {
  const woken = new Map<string, { process: ProcessRef; reason: string }>()
  const run = (tx: EntityManager) => {
    const context: WorkContext = {
      ...{ tx, pageId, now: clock(), clock, minuteMs, events: [], notes: [], reached },
      wake: (process, reason) => woken.set(workflowIdOf(process), { process, reason }),
    }
    return work({
      context,
      async close(traces = {}) {
        const { now, events, notes } = context
        const notifications = await writeLedger(tx, {
          ...{ pageId, now, events, notes, firstScanAt: firstScanAt(clock()), ...traces },
          wakeups: [...woken].map(([workflow_id, { reason }]) => ({ workflow_id, reason })),
        })
        for (const id of notifications) context.wake({ kind: 'notification', id }, '')
      },
    })
  }
  const result = await inPageTransaction(app, pageId, run, purpose)
  return { result, woken: [...woken.values()].map(({ process }) => process) }
}

/** Wakes processes after the commit. */
export function wakeAfterCommit({ wakeups }: Services, pageId: number, woken: ProcessRef[]): void {
  if (woken.length > 0) wakeups.wakeProcesses(woken.map((process) => ({ ...process, pageId })))
}

const ATTEMPTS = 4

/** Runs work that is neither an operation nor a step, such as storing the results of checks. */
export async function inUnitOfWork<T>(
  services: Services,
  pageId: number,
  work: (context: WorkContext) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { result, woken } = await runUnitOfWork(services, { pageId }, async ({ context, close }) => {
        const done = await work(context)
        await context.tx.flush()
        await close()
        return done
      })
      if (woken.length > 0) services.reached('facts committed')
      wakeAfterCommit(services, pageId, woken)
      return result
    } catch (error) {
      if (!isContention(error) || tries >= ATTEMPTS) throw error
    }
  }
}
