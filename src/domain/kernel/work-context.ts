import type { EntityManager } from '@mikro-orm/postgresql'
import type { NewEvent } from '../../persistence/notifications.ts'
import type { Context } from './context.ts'
import type { CrashPoint } from './crash-points.ts'

/** What an operation and a step of a process have in common: enough for what either of them may do, once. */
export interface WorkContext {
  tx: EntityManager
  pageId: number
  /** The moment of the facts that are written: that at which the lock of their subject was held. */
  now: Date
  /** Reads the clock. Whoever has waited for a lock sets `now` to it. */
  clock(): Date
  minuteMs: number
  /** What people are to be told; written when the operation or the step closes, each natural key once. */
  events: NewEvent[]
  /** Rings `workflowId` once the transaction has committed; the reason is what its history will say. */
  wake(workflowId: string, reason: string): void
  reached(point: CrashPoint): void
}

export const workContextOf = ({ tx, page, now, clock, minuteMs, events, wake, reached }: Context): WorkContext => ({
  tx,
  pageId: page.id,
  now,
  clock,
  minuteMs,
  events,
  wake,
  reached,
})
