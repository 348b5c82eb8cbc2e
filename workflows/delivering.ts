import { isCancellation, log, proxyActivities, rootCause, sleep } from '@temporalio/workflow'
import { type Deliveries, deliveryQueue, type SubjectOfPage } from './contract.ts'

const PAUSE_MS = 1000

/** The errand of a process with deliveries. A lost worker is replaced after the heartbeat timeout: the next step asks again. */
export function delivering(kind: 'notification' | 'digest', ref: SubjectOfPage): () => Promise<void> {
  const { deliver } = proxyActivities<Deliveries>({
    taskQueue: deliveryQueue,
    startToCloseTimeout: '1h',
    heartbeatTimeout: '10s',
    retry: { maximumAttempts: 1 },
  })
  return async () => {
    try {
      await deliver({ ...ref, kind, now: Date.now() })
    } catch (error) {
      if (isCancellation(error)) throw error
      log.warn('deliveries could not be sent to the end; the next step asks again', { because: rootCause(error) })
      await sleep(PAUSE_MS)
    }
  }
}
