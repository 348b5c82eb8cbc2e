import { setTimeout as sleep } from 'node:timers/promises'
import type { CheckContext } from '../../activities/checks/contract.ts'
import { checkFor } from '../../activities/checks/index.ts'
import { openEvaluator } from '../../src/domain/evaluation/evaluator.ts'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import { SYSTEM_ROLE } from '../../src/persistence/entities/columns.ts'
import { openOrm } from '../../src/persistence/orm.ts'
import { storeResults } from '../../src/persistence/system/beat-results.ts'

/**
 * What leases are measured against: a process that holds a timer for each beat in its memory, does the same checks and
 * stores their results with the same statement. It knows no edits and no stages, and no other process takes over when it dies.
 */
export interface BareChecks {
  pageId: number
  beats: number[]
  url: string
  intervalMs: number
}

const system = await openOrm({ url: process.env.DATABASE_URL!, role: SYSTEM_ROLE, poolMax: 4, name: 'upbeat-bare' })
const check = checkFor('http')
const evaluator = openEvaluator()
const evaluate: CheckContext['evaluate'] = (evaluation) => evaluator.evaluate(1, evaluation)
const never = new AbortController().signal
let waiting: NewResult[] = []

async function beat({ pageId, url, intervalMs }: BareChecks, id: number): Promise<void> {
  const target = { url }
  const phase = (id * 7919) % intervalMs
  for (let slot = Math.ceil((Date.now() - phase) / intervalMs); ; slot += 1) {
    const due = slot * intervalMs + phase
    while (Date.now() < due) await sleep(due - Date.now())
    const at = new Date()
    const outcome = await check(target, {
      signal: never,
      timeout_ms: 1000,
      guard: 'any',
      own_ports: { includes: () => false },
      evaluate,
    })
    const { ok, latency_ms, status_code = null, evidence } = outcome
    const seen = { ok, latency_ms, status_code, evidence, packet_loss: null, certificate_days: null }
    waiting.push({
      beat_id: id,
      page_id: pageId,
      region: 'local',
      slot,
      target_number: 0,
      due_at: new Date(due),
      at,
      ...seen,
    })
  }
}

async function store(): Promise<void> {
  for (;;) {
    await sleep(250)
    const batch = waiting
    waiting = []
    if (batch.length > 0) await storeResults(system, batch)
  }
}

process.on('message', (all: BareChecks) => {
  for (const id of all.beats) void beat(all, id)
  void store()
  process.send?.({ started: true })
})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: {} })
