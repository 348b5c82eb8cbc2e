import { Context } from '@temporalio/activity'
import type { Deliveries } from '../../workflows/contract.ts'
import { deliverDue, type Sending } from './deliver.ts'

const HEARTBEAT_MS = 2000

export function createDeliver(sending: Omit<Sending, 'signal'>): Deliveries {
  return {
    async deliver(request) {
      const { cancellationSignal: signal, heartbeat } = activity()
      const beating = setInterval(heartbeat, HEARTBEAT_MS)
      try {
        await deliverDue({ ...sending, signal }, request)
      } finally {
        clearInterval(beating)
      }
      signal.throwIfAborted()
    },
  }
}

function activity() {
  const context = Context.current()
  return { cancellationSignal: context.cancellationSignal, heartbeat: () => context.heartbeat() }
}
