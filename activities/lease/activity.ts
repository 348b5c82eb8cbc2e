import { Context } from '@temporalio/activity'
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import type { Checks, ShardRef } from '../../workflows/contract.ts'
import { lease } from './lease.ts'
import type { Leases } from './leases.ts'
import { realTimers } from './timers.ts'

const SHORTEST_MS = 60_000
/** After about a day the workflow continues as new, which requires that the activity ends. */
const MOST_ATTEMPTS = 1000
/** Another process holds the shard: a lease that Temporal has lost waits before it claims the shard back. */
const LOST_PAUSE = '15s'

export function createLease(leases: Leases): Pick<Checks, 'lease'> {
  return {
    async lease(ref: ShardRef, brief) {
      const { info, cancellationSignal: signal, heartbeat } = activity()
      const lengthMs = brief ? 0 : SHORTEST_MS * (1 + Math.random())
      const hold = () => leases.hold(ref)
      const end = await lease({ timers: realTimers, hold, heartbeat, signal, lengthMs }).catch((error) => {
        // The database may be away, so the next attempt waits for a second.
        throw nextLease(`the lease could not begin: ${error}`, '1s')
      })
      if (end === 'empty') return { empty: true }
      if (end === 'cancelled' && !isShutdown(signal.reason)) throw signal.reason
      if (end === 'lost') throw nextLease('another process checks these beats', LOST_PAUSE)
      if (brief || info.attempt >= MOST_ATTEMPTS) return { empty: false }
      // A pause of 0 would end the activity.
      throw nextLease('the lease has ended, and the next lease begins', 1)
    },
  }
}

function activity() {
  const { info, cancellationSignal, heartbeat } = Context.current()
  return { info, cancellationSignal, heartbeat: () => heartbeat() }
}

const isShutdown = (reason: unknown) => reason instanceof Error && reason.message === 'WORKER_SHUTDOWN'

/** Ends the attempt, so that the next attempt is the next lease. A benign failure appears in no metric and no log. */
const nextLease = (message: string, nextRetryDelay: string | number) =>
  ApplicationFailure.create({
    message,
    type: 'LeaseOver',
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: nextRetryDelay as '15s' | '1s' | number,
  })
