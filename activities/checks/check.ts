import { oneSentence } from '../../src/domain/kernel/text-rules.ts'
import { Failure } from '../../src/outbound/connections/failure.ts'
import { withoutSecrets } from '../../src/outbound/secret-rules.ts'
import { CheckAttempt } from './check-attempt.ts'
import type { Check, CheckOutcome } from './contract.ts'
import { outcomeOf } from './evidence.ts'
import { secretsIn } from './secrets.ts'

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
