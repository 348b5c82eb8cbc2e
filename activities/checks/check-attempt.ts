import { Attempt } from '../../src/outbound/connections/attempt.ts'
import type { CheckContext } from './contract.ts'

/** One run of a check, whose assertions are evaluated on a thread. */
export class CheckAttempt extends Attempt {
  readonly #evaluate: CheckContext['evaluate']

  constructor(ctx: CheckContext) {
    super(ctx)
    this.#evaluate = ctx.evaluate
  }

  /** Ends the timeout first: the target has answered, so the time of the evaluation does not count. */
  evaluate(...evaluation: Parameters<CheckContext['evaluate']>): ReturnType<CheckContext['evaluate']> {
    this.stopTimeout()
    return this.#evaluate(...evaluation)
  }
}
