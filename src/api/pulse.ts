import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import {
  LONGEST_LOOK_BACK_MS,
  LONGEST_SILENCE_MS,
  PULSE_EVERY_MS,
} from '../domain/beats/heartbeats/call-availability.ts'
import type { Orm } from '../persistence/orm.ts'
import { deletePulses, interruptPulses, storePulse } from '../persistence/system/api-pulses.ts'

/** What this process stores about its ability to take the calls of heartbeats. */
export interface Pulse {
  /** To be called once the process listens. */
  start(): void
  /** Stores that calls could be taken until this moment at least, unless that is stored already. */
  confirm(moment: Date): Promise<void>
  /** A call was refused for a reason on our side: from here on the ability counts from the next pulse. */
  callRefused(): void
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
      await storePulse(system, { processId, ableSince, seenAt: now })
      seenAt = now
    } catch (error) {
      refused = true
      throw error
    }
  }

  /** One write after another: each of them says more than the one before. */
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
    async close() {
      clearInterval(timer)
      await last.catch(() => {})
    },
  }
}
