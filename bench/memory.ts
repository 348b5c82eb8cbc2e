import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { workflowBundle } from '../worker/bundle.ts'
import { inBenchHouse, type Say } from './support/house.ts'
import { memoryOf } from './support/memory-of.ts'
import type { Report } from './support/report.ts'

const IDLE_SECONDS = 30

/** What the service's own two processes take while nothing happens. */
export default function memory(say: Say): Promise<Report> {
  return inBenchHouse(say, async (house) => {
    await workflowBundle(readConfig(process.env).CACHE_DIR)
    const { address } = await house.startTemporal()
    const api = await house.startApi({ TEMPORAL_ADDRESS: address })
    const worker = await house.startWorker({ TEMPORAL_ADDRESS: address })
    say(`Idle for ${IDLE_SECONDS} s`)
    await sleep(IDLE_SECONDS * 1000)
    const [ours, theirs] = [memoryOf(api.pid), memoryOf(worker.pid)]
    return {
      how: [
        `API and worker, ${IDLE_SECONDS} s after their start, with nothing to do and the workflow bundle built before. ${ours.kind}. PostgreSQL and Temporal are not counted.`,
      ],
      figures: [
        { name: 'API and worker', value: ours.megabytes + theirs.megabytes, unit: 'MB', target: { under: 400 } },
        { name: 'API', value: ours.megabytes, unit: 'MB' },
        { name: 'worker', value: theirs.megabytes, unit: 'MB' },
        { name: 'API and worker, shared pages counted twice', value: ours.resident + theirs.resident, unit: 'MB' },
      ],
    }
  })
}
