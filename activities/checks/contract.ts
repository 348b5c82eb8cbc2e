import type { Evaluation, Evaluator } from '../../src/domain/evaluation/evaluator.ts'
import type { Reach } from '../../src/outbound/connections/attempt.ts'

/** What a check is given, and what it answers. */

export interface CheckContext extends Reach {
  /** Ends the check without an outcome: it rejects with the signal's reason. */
  signal: AbortSignal
  /** Evaluates assertions outside the event loop, so that expensive assertions do not delay other checks. */
  evaluate: (evaluation: Evaluation) => ReturnType<Evaluator['evaluate']>
}

export interface CheckOutcome {
  ok: boolean
  /** Null without a complete answer. */
  latency_ms: number | null
  status_code?: number
  /** One sentence that a person understands, without a secret. */
  evidence: string
  /** In percent. */
  packet_loss?: number
  /** A rule of the service forbids this check. The outcome does not count as a result of the target. */
  refused?: true
  /** Whole days until the certificate expires; negative for an expired certificate. */
  certificate_days?: number
}

/**
 * A failure of the target is an outcome. A check rejects with the reason of its signal, with `CheckImpossible` when this
 * machine cannot run the check, and with any other error after a bug of the service.
 */
export type Check<T> = (target: T, ctx: CheckContext) => Promise<CheckOutcome>
