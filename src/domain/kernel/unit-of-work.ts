import { isContention } from '../../persistence/failures.ts'
import { writeLedger } from '../../persistence/ledger.ts'
import type { NewEvent } from '../../persistence/notifications.ts'
import { behindWall } from '../../persistence/wall.ts'
import { firstScanAt } from './processes.ts'
import type { Services } from './services.ts'
import type { WorkContext } from './work-context.ts'

const ATTEMPTS = 4

/**
 * Runs work that is neither an operation nor a step, such as storing the results of checks: one isolated transaction with its
 * notifications and wake-ups. Wakes the processes after the commit.
 */
export async function inUnitOfWork<T>(
  services: Services,
  pageId: number,
  work: (context: WorkContext) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await once(services, pageId, work)
    } catch (error) {
      if (!isContention(error) || tries >= ATTEMPTS) throw error
    }
  }
}

async function once<T>(services: Services, pageId: number, work: (context: WorkContext) => Promise<T>): Promise<T> {
  const { minuteMs, reached } = services
  const woken = new Map<string, string>()
  const result = await behindWall(services.app, pageId, async (tx) => {
    const now = services.clock()
    const events: NewEvent[] = []
    const wake = (workflowId: string, reason: string) => woken.set(workflowId, reason)
    const context = { tx, pageId, now, clock: services.clock, minuteMs, events, wake, reached }
    const done = await work(context)
    await tx.flush()
    const wakeups = [...woken].map(([workflow_id, reason]) => ({ workflow_id, reason }))
    await writeLedger(tx, { pageId, now: context.now, events, wakeups, firstScanAt: firstScanAt(context.now) })
    return done
  })
  if (woken.size > 0) reached('facts committed')
  if (woken.size > 0) services.bell.ring([...woken.keys()].map((workflowId) => ({ workflowId, pageId })))
  return result
}
