import type { CheckOutcome } from '../../activities/checks/contract.ts'
import type { BeatConfig } from '../../activities/lease/beat-config.ts'
import { CheckScheduler } from '../../activities/lease/check-scheduler.ts'
import { localPolicies } from '../../activities/lease/local-stage-rules.ts'
import type { Stored } from '../../activities/lease/result-buffer.ts'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { fakeTimers } from './fake-timers.ts'

export const well: CheckOutcome = {
  ...{ ok: true, latency_ms: 12.4, status_code: 200, evidence: 'HTTP 200 OK from shop after 12 ms' },
}
export const ill: CheckOutcome = { ok: false, latency_ms: null, evidence: 'Nothing listens' }

/** A scheduler with its own clock, and a record of its calls. */
export function openScheduler() {
  const timers = fakeTimers()
  const table = {
    timers,
    began: [] as { id: number; version: number; at: number; signal: AbortSignal }[],
    results: [] as NewResult[],
    stored: [] as Stored[],
    /** Beats whose evaluation was requested, with a new result or by stored results. */
    asked: [] as number[],
    answers: async () => {},
    unable: [] as string[],
    /** Whether the report of a beat that cannot be checked is settled. */
    settles: () => true,
    seen: [] as string[],
    /** The duration of a check, and its outcome. */
    takes: (_id: number) => 5,
    says: (): CheckOutcome | Error => well,
    slotsOf: (id: number) => table.results.filter(({ beat_id }) => beat_id === id).map(({ slot }) => slot!),
  }
  const scheduler = new CheckScheduler({
    region: 'local',
    timers,
    logger: createLogger('silent', 'test'),
    check: ({ id, config_version: version }, signal) =>
      new Promise((resolve, reject) => {
        table.began.push({ id, version, at: timers.now(), signal })
        signal.addEventListener('abort', () => reject(signal.reason))
        timers.after(table.takes(id), () => {
          const outcome = table.says()
          if (outcome instanceof Error) reject(outcome)
          else resolve(outcome)
        })
      }),
    submit(result, onStored, evaluate) {
      table.results.push(result)
      if (evaluate) table.asked.push(result.beat_id)
      table.stored.push(onStored)
    },
    async requestEvaluation({ id }) {
      table.asked.push(id)
      await table.answers()
    },
    async reportUnable({ id }, because) {
      table.unable.push(`${id}: ${because}`)
      return table.settles()
    },
    observe: (result) => table.seen.push(result),
  })
  return Object.assign(table, { scheduler })
}

export const beat = (id: number, more: Partial<BeatConfig> = {}): BeatConfig => ({
  ...{
    id,
    page_id: 1,
    config_version: 1,
    type: 'http',
    target: {},
    target_number: 0,
    interval_seconds: 1,
    timeout_ms: 1000,
  },
  policies: localPolicies({ critical_rule: { consecutive_failures: 2 } }),
  ...{ depth: 2, known: { stage: 'healthy', unknown: false }, tail: [] },
  ...more,
})
