import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import {
  LONGEST_LOOK_BACK_MS,
  LONGEST_SILENCE_MS,
  PULSE_EVERY_MS,
} from '../domain/beats/heartbeats/call-availability.ts'
import type { Orm } from '../persistence/orm.ts'
import { deletePulses, interruptPulses, storePulse } from '../persistence/system/api-pulses.ts'

/** Stores when this process can take heartbeat calls. */
export interface Pulse {
  /** Called when the process listens. */
  start(): void
  /** Stores that calls could be taken at least until this moment. */
  confirm(moment: Date): Promise<void>
  /** The service failed to take a call: the ability counts again from the next pulse. */
  callRefused(): void
  /** Whether another API process was alive at the last pulse. */
  hasOthers(): boolean
  close(): Promise<void>
}

interface Options {
  system: Orm
  logger: Logger
  clock: () => Date
  everyMs?: number
}

export function openPulse({ system, logger, clock, everyMs = PULSE_EVERY_MS }: Options): Pulse {
  const processId = randomUUID()
  let ableSince: Date | undefined
  let seenAt: Date | undefined
  let timer: NodeJS.Timeout | undefined
  let refused = false
  let others = false
  let last = Promise.resolve()

  async function write(): Promise<void> {
    const now = clock()
    const wasRefused = refused
    refused = false
    try {
      if (seenAt === undefined) await deletePulses(system, new Date(now.getTime() - 2 * LONGEST_LOOK_BACK_MS))
      if (wasRefused) await interruptPulses(system, now)
      const silentMs = seenAt ? now.getTime() - seenAt.getTime() : 0
      if (!ableSince || wasRefused || silentMs > LONGEST_SILENCE_MS) ableSince = now
      const othersSince = new Date(now.getTime() - LONGEST_SILENCE_MS)
      others = await storePulse(system, { processId, ableSince, seenAt: now, othersSince })
      seenAt = now
    } catch (error) {
      refused = true
      throw error
    }
  }

  /** Writes run one after another. */
  function confirm(moment: Date): Promise<void> {
    if (seenAt && seenAt >= moment && !refused) return Promise.resolve()
    last = last.catch(() => {}).then(() => (seenAt && seenAt >= moment && !refused ? undefined : write()))
    return last
  }

  const beat = () =>
    confirm(clock()).catch((error) => logger.debug({ err: error }, 'could not store that calls can be taken'))
  return {
    start() {
      timer = setInterval(beat, everyMs)
      void beat()
    },
    confirm,
    callRefused() {
      refused = true
    },
    hasOthers: () => others,
    async close() {
      clearInterval(timer)
      await last.catch(() => {})
    },
  }
}
