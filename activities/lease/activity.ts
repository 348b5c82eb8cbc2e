import { Context } from '@temporalio/activity'
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import type { Checks, ShardRef } from '../../workflows/contract.ts'
import { lease } from './lease.ts'
import type { Leases } from './leases.ts'
import { realTimers } from './timers.ts'

const SHORTEST_MS = 60_000
/** After about a day a workflow wants to begin a new run, and only the end of the activity lets it. */
const MOST_ATTEMPTS = 1000
/** Somebody else has the shard: a lease that Temporal has forgotten need not hurry to take it away. */
const LOST_PAUSE = '15s'

export function createLease(leases: Leases): Pick<Checks, 'lease'> {
  return {
    async lease(ref: ShardRef, brief) {
      const { info, cancellationSignal: signal, heartbeat } = activity()
      const lengthMs = brief ? 0 : SHORTEST_MS * (1 + Math.random())
      const hold = () => leases.hold(ref)
      const end = await lease({ timers: realTimers, hold, heartbeat, signal, lengthMs }).catch((error) => {
        // The database is away, perhaps: there is no hurry.
        throw another(`the lease could not begin: ${error}`, '1s')
      })
      if (end === 'empty') return { empty: true }
      if (end === 'cancelled' && !isShutdown(signal.reason)) throw signal.reason
      if (end === 'lost') throw another('another process checks these beats', LOST_PAUSE)
      if (brief || info.attempt >= MOST_ATTEMPTS) return { empty: false }
      // A pause of 0 would end the activity.
      throw another('the lease is over, and the next begins', 1)
    },
  }
}

function activity() {
  const { info, cancellationSignal, heartbeat } = Context.current()
  return { info, cancellationSignal, heartbeat: () => heartbeat() }
}

const isShutdown = (reason: unknown) => reason instanceof Error && reason.message === 'WORKER_SHUTDOWN'

/** Benign: nothing failed, so it is no failure in metrics and logs. */
const another = (message: string, nextRetryDelay: string | number) =>
  ApplicationFailure.create({
    message,
    type: 'LeaseOver',
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: nextRetryDelay as '15s' | '1s' | number,
  })
