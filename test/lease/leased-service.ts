import { afterAll, afterEach, beforeAll } from '@jest/globals'
import type { CheckOutcome } from '../../activities/checks/contract.ts'
import type { BeatConfig } from '../../activities/lease/beat-config.ts'
import { type Leases, openLeases } from '../../activities/lease/leases.ts'
import { placesFor } from '../../src/domain/beats/checks/shard-rules.ts'
import { reportedTypes } from '../../src/domain/beats/types/index.ts'
import { assignBeats } from '../../src/persistence/system/assignments.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { changeBeats, insertBeats } from '../support/shards.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

export const shard = { region: 'local', shard: 0 }
export const well: CheckOutcome = { ok: true, latency_ms: 1, evidence: 'well' }
export const ill: CheckOutcome = { ok: false, latency_ms: null, evidence: 'Nothing listens' }

/** A test service whose test assigns beats to shards, and processes that check these beats. */
export function leasedService() {
  let service: TestService
  const opened: Leases[] = []
  const run = (sql: string) => service.services.system.em.fork().execute<object[]>(sql)
  const assign = (everything = false) =>
    assignBeats(service.services.system, { now: new Date(), reported: reportedTypes, placesFor, everything })

  beforeAll(async () => {
    service = await openTestService()
  })
  afterEach(async () => {
    for (const leases of opened.splice(0)) await leases.close()
    for (const table of ['beat', 'beat_result', 'beat_transition']) await run(`delete from ${table}`)
    await assign(true)
  })
  afterAll(() => service?.close())

  return {
    get service() {
      return service
    },
    run,
    async make(count: number, fields: Parameters<typeof insertBeats>[3] = {}): Promise<number[]> {
      const ids = await insertBeats(service.services, service.page.id, count, fields)
      await assign()
      return ids
    },
    async change(ids: number[], set: string): Promise<void> {
      await changeBeats(service.services, ids, set)
      await assign()
    },
    /** Another process for the shards; `checked` has its checks in order. */
    another(outcome: () => CheckOutcome = () => well, lingerMs?: number) {
      const checked: BeatConfig[] = []
      const leases = openLeases({
        services: service.services,
        metrics: createMetrics(),
        lingerMs,
        async check(beat) {
          checked.push(beat)
          return outcome()
        },
      })
      opened.push(leases)
      return { ...leases, checked }
    },
  }
}

/** Waits for this many more checks. */
export function more(list: unknown[], count = 3): Promise<number> {
  const { length } = list
  return until(
    () => list.length,
    (now) => now >= length + count,
  )
}
