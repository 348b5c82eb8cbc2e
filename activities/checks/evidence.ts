import type { Attempt } from '../../src/outbound/connections/attempt.ts'
import { failureOf } from '../../src/outbound/connections/failure.ts'
import type { CheckOutcome } from './contract.ts'

export function outcomeOf(problem: unknown, attempt: Attempt): CheckOutcome {
  const { known, message } = failureOf(problem, attempt)
  return { ok: false, latency_ms: null, ...known, evidence: message }
}
