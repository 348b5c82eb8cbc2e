import type { EntityManager } from '@mikro-orm/postgresql'
import type { ProcessRef } from '../../../workflows/processes.ts'
import type { NewEvent } from '../../persistence/notifications.ts'
import type { NewNote } from '../../persistence/processes.ts'
import type { CrashPoint } from './crash-points.ts'

/** The common part of the contexts of operations and steps, for functions that both call. */
export interface WorkContext {
  tx: EntityManager
  pageId: number
  /** The moment of the written facts: the moment at which the lock of their subject is held. */
  now: Date
  /** Reads the clock. A function that waited for a lock sets `now` to the clock. */
  clock(): Date
  minuteMs: number
  /** Notifications, which are written at the end of the operation or step, each natural key once. */
  events: NewEvent[]
  /** Notes of a request in the histories of processes, written at its end after the notes of the wake-ups. */
  notes: NewNote[]
  /** Wakes the process once the transaction has committed; the reason appears in the history of the process. */
  wake(process: ProcessRef, reason: string): void
  reached(point: CrashPoint): void
}
