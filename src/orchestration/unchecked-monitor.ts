import type { Logger } from 'pino'
import { SILENT_REGION } from '../domain/beats/stage/evaluate-results.ts'
import { markManyUnchecked } from '../domain/beats/stage/stage-unknown.ts'
import { reportedTypes } from '../domain/beats/types/index.ts'
import type { Services } from '../domain/kernel/services.ts'
import { type SilentBeat, silentBeats } from '../persistence/system/assignments.ts'
import { type Periodic, periodically } from './periodically.ts'

const BATCH = 500

interface Options {
  services: Services
  logger: Logger
  everyMs?: number
}

/**
 * Marks the beats without recent results as unchecked. Workers report the beats that they cannot check; the API runs this
 * monitor, because without any worker no other process would report.
 */
export function startUncheckedMonitor({ services, logger, everyMs = 60_000 }: Options): Periodic {
  const markSilentBeats = async () => {
    const facts = { now: services.clock(), ...SILENT_REGION, reported: reportedTypes, limit: BATCH }
    let beats: SilentBeat[]
    let after = 0
    do {
      beats = await silentBeats(services.system, { ...facts, after })
      for (const [region, here] of Map.groupBy(beats, (beat) => beat.region)) {
        await markManyUnchecked(services, here, { region, because: 'no worker has checked the beat lately' })
      }
      after = beats.at(-1)?.id ?? after
    } while (beats.length === BATCH)
  }
  return periodically(markSilentBeats, {
    everyMs,
    onFailure: (error) =>
      logger.warn({ err: error }, 'the beats without recent results could not be read; the next read follows'),
  })
}
