import type { Evaluation, Evaluator } from '../../src/domain/evaluation/evaluator.ts'
import { oneSentence } from '../../src/domain/kernel/text-rules.ts'
import type { Reach } from '../../src/outbound/connections/attempt.ts'
import { Failure } from '../../src/outbound/connections/failure.ts'
import { withoutSecrets } from '../../src/outbound/secret-rules.ts'
import { CheckAttempt } from './check-attempt.ts'
import { outcomeOf } from './evidence.ts'
import { secretsIn } from './secrets.ts'

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

/** Runs a probe under a timeout. At the timeout the outcome is returned and all sockets of the probe are closed. */
export function check<T extends object>(probe: (target: T, attempt: CheckAttempt) => Promise<CheckOutcome>): Check<T> {
  return async (target, ctx) => {
    ctx.signal.throwIfAborted()
    const attempt = new CheckAttempt(ctx)
    const { promise: timedOut, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Failure(attempt.timeoutEvidence())), ctx.timeout_ms)
    attempt.stopTimeout = () => clearTimeout(timer)
    const cancel = () => reject(ctx.signal.reason)
    ctx.signal.addEventListener('abort', cancel, { once: true })
    try {
      return withSafeEvidence(await Promise.race([probe(target, attempt), timedOut]), target)
    } catch (problem) {
      ctx.signal.throwIfAborted()
      return withSafeEvidence(outcomeOf(problem, attempt), target)
    } finally {
      clearTimeout(timer)
      ctx.signal.removeEventListener('abort', cancel)
      attempt.end()
    }
  }
}

/** A target may repeat the secrets of the request, so they are removed from the evidence. */
function withSafeEvidence(outcome: CheckOutcome, target: object): CheckOutcome {
  return { ...outcome, evidence: oneSentence(withoutSecrets(outcome.evidence, secretsIn(target))) }
}
