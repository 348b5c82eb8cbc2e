import { evaluateResults } from '../../src/domain/beats/stage/evaluate-results.ts'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { inUnitOfWork } from '../../src/domain/kernel/unit-of-work.ts'
import { steps } from '../../src/domain/steps.ts'
import { bareServices } from './bare-services.ts'

/**
 * What an outage is measured against: a process that has the failed results of all beats in its memory, and runs the
 * very transactions of the service one after the other, as many at a time. It checks nothing and waits for no timer.
 */
export interface BareOutage {
  pageId: number
  beats: number[]
  /** How many beats are evaluated in one transaction, and how many transactions run at once. */
  atOnce: number
  width: number
}

const services = await bareServices('bare-outage')

async function inParallel<T>(width: number, all: T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const left = [...all]
  const next = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: width }, next))
}

/** Milliseconds until all stages were stored, and until all incidents were open. */
async function run({ pageId, beats, atOnce, width }: BareOutage): Promise<{ stages: number; incidents: number }> {
  const started = performance.now()
  const groups = [...Map.groupBy(beats.entries(), ([index]) => Math.floor(index / atOnce)).values()]
  await inParallel(width, groups, (group) => {
    const ids = group.map(([, id]) => id)
    return inUnitOfWork(services, pageId, (work) => evaluateResults(work, ids, ids.map(failed)))

    function failed(beat_id: number) {
      const now = new Date()
      return {
        ...{ beat_id, page_id: pageId, region: 'local', slot: null, target_number: 0, due_at: now, at: now, ok: false },
        ...{ latency_ms: 1, status_code: 500, packet_loss: null, certificate_days: null, evidence: 'answered 500' },
      }
    }
  })
  const stages = performance.now() - started
  await inParallel(width, beats, (id) => takeStep(services, steps.beat, { kind: 'beat', pageId, id }))
  return { stages, incidents: performance.now() - started }
}

process.on('message', (order: BareOutage) => void run(order).then((took) => process.send?.(took)))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: {} })
