import type { Evaluation, Evaluator } from '../../src/domain/evaluation/evaluator.ts'
import type { OwnPorts } from '../../src/domain/kernel/services.ts'
import { withoutSecrets } from '../../src/outbound/secret-rules.ts'
import { Attempt } from './attempt.ts'
import { Failure, oneSentence, outcomeOf } from './evidence.ts'
import type { LookUp } from './names.ts'
import { secretsIn } from './secrets.ts'

export interface CheckContext {
  /** Ends the check without an outcome: it rejects with the signal's reason. */
  signal: AbortSignal
  timeout_ms: number
  /** `public` where people who are not trusted define beats: then only addresses of the public internet are reached. */
  guard: 'any' | 'public'
  /** Evaluates assertions, where whatever they cost does not matter to other checks. */
  evaluate: (evaluation: Evaluation) => ReturnType<Evaluator['evaluate']>
  /** Refused whatever the guard says. */
  own_ports: OwnPorts
  /** How names become addresses; by default as this machine does it. */
  look_up?: LookUp
  /** The moment at which certificates are judged. */
  now?: () => Date
}

export interface CheckOutcome {
  ok: boolean
  /** Null where there was no complete answer. */
  latency_ms: number | null
  status_code?: number
  /** One sentence that a person understands, without a secret. */
  evidence: string
  /** In percent. */
  packet_loss?: number
  /** It was not checked, because it may not be: that is our rule, and says nothing about the target. */
  refused?: true
  /** Whole days until the certificate expires; below zero when it has. */
  certificate_days?: number
}

/**
 * Whatever is wrong with the target is an outcome. A check rejects with the reason of its signal, with
 * `CheckImpossible` when it is this machine that cannot check, and with any other error when the mistake is ours.
 */
export type Check<T> = (target: T, ctx: CheckContext) => Promise<CheckOutcome>

/** The timeout stands above the probe: whatever that still waits for, the outcome is there and its sockets are gone. */
export function check<T extends object>(probe: (target: T, attempt: Attempt) => Promise<CheckOutcome>): Check<T> {
  return async (target, ctx) => {
    ctx.signal.throwIfAborted()
    const attempt = new Attempt(ctx)
    const { promise: cutShort, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Failure(attempt.timeoutEvidence())), ctx.timeout_ms)
    attempt.stopTimeout = () => clearTimeout(timer)
    const cancel = () => reject(ctx.signal.reason)
    ctx.signal.addEventListener('abort', cancel, { once: true })
    try {
      return said(await Promise.race([probe(target, attempt), cutShort]), target)
    } catch (problem) {
      ctx.signal.throwIfAborted()
      return said(outcomeOf(problem, attempt), target)
    } finally {
      clearTimeout(timer)
      ctx.signal.removeEventListener('abort', cancel)
      attempt.end()
    }
  }
}

/** The other side may repeat what it was sent, so the secrets are struck out of whatever is said. */
function said(outcome: CheckOutcome, target: object): CheckOutcome {
  return { ...outcome, evidence: oneSentence(withoutSecrets(outcome.evidence, secretsIn(target))) }
}
