import { cut } from '../../src/domain/kernel/text-rules.ts'
import type { Attempt } from '../../src/outbound/connections/attempt.ts'
import { failureOf } from '../../src/outbound/connections/failure.ts'
import type { CheckOutcome } from './check.ts'

const LONGEST = 300

/** The text on one line and bounded, because parts of the text come from the target. */
export function oneSentence(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line.length > LONGEST ? `${cut(line, LONGEST - 1)}…` : line
}

export function outcomeOf(problem: unknown, attempt: Attempt): CheckOutcome {
  const { known, message } = failureOf(problem, attempt)
  return { ok: false, latency_ms: null, ...known, evidence: message }
}
