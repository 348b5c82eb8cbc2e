import { setTimeout as sleep } from 'node:timers/promises'
import { type Lane, LOOK_AGAIN_MS, sendLane } from './send-lane.ts'

/**
 * Sends what is due in all lanes. While one lane still sends, the others look again for what became due: a retry does not wait for
 * the slowest receiver of another channel.
 */
export async function sendLanes<T, O>(lanes: Lane<T, O>[]): Promise<void> {
  const idle = Promise.withResolvers<void>()
  let busy = lanes.length

  async function sendAgain(lane: Lane<T, O>): Promise<void> {
    for (;;) {
      await sendLane(lane).finally(() => {
        busy -= 1
        if (busy === 0) idle.resolve()
      })
      await Promise.race([idle.promise, sleep(lane.lookAgainMs ?? LOOK_AGAIN_MS)])
      if (busy === 0) return
      busy += 1
    }
  }

  const outcomes = await Promise.allSettled(lanes.map(sendAgain))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
