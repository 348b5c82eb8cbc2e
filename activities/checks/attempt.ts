import type { CheckContext } from './check.ts'
import { type LookUp, lookUpAsThisMachine } from './names.ts'

/** One for all, because making one with its stack costs as much as the rest of the attempt. */
const OVER = new Error('The check is over')

/** One run of a check: what it is doing, how long it has, and what has to be closed when it is over. */
export class Attempt {
  readonly guard: CheckContext['guard']
  readonly ownPorts: CheckContext['own_ports']
  readonly lookUp: LookUp
  readonly now: () => Date
  /** Ends the timeout; set by the check that keeps it. */
  stopTimeout: () => void = () => {}
  readonly #evaluate: CheckContext['evaluate']
  /** Whom it is talking to, for the evidence. */
  where = ''
  /** Whether that is somebody to whom the target has sent us. */
  redirected = false
  readonly #timeout: number
  readonly #started = performance.now()
  readonly #over = new AbortController()
  readonly #held = new Set<{ destroy(): unknown }>()
  #doing = ''

  constructor(ctx: CheckContext) {
    this.guard = ctx.guard
    this.ownPorts = ctx.own_ports
    this.lookUp = ctx.look_up ?? lookUpAsThisMachine
    this.now = ctx.now ?? (() => new Date())
    this.#evaluate = ctx.evaluate
    this.#timeout = ctx.timeout_ms
  }

  /** Aborted when the attempt is over, however it ended. */
  get signal(): AbortSignal {
    return this.#over.signal
  }

  get elapsed(): number {
    return Math.round(performance.now() - this.#started)
  }

  get left(): number {
    return Math.max(0, this.#timeout - (performance.now() - this.#started))
  }

  /** What a timeout from here on is said to have cut short. */
  doing(what: string, where = this.where): void {
    this.#doing = what
    this.where = where
  }

  /** The target has answered by now, so the time that the evaluation takes is not the target's. */
  evaluate(...evaluation: Parameters<CheckContext['evaluate']>): ReturnType<CheckContext['evaluate']> {
    this.stopTimeout()
    return this.#evaluate(...evaluation)
  }

  timeoutEvidence(): string {
    const seconds = Number((this.#timeout / 1000).toFixed(1))
    return `${this.where || 'The target'} took longer than ${seconds} s (${this.#doing})`
  }

  /** What is opened after the end is closed at once. */
  hold<T extends { destroy(): unknown }>(thing: T): T {
    if (this.#over.signal.aborted) thing.destroy()
    else this.#held.add(thing)
    return thing
  }

  end(): void {
    this.#over.abort(OVER)
    for (const thing of this.#held) thing.destroy()
    this.#held.clear()
  }
}
