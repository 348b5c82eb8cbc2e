import type { OwnPorts } from '../../domain/kernel/services.ts'
import { type LookUp, lookUpAsThisMachine } from './names.ts'

/** One error for all attempts: creating an error with its stack costs as much as the rest of an attempt. */
const OVER = new Error('The attempt is over')

/** What an attempt may connect to, and for how long. */
export interface Reach {
  timeout_ms: number
  /** `public` where people who are not trusted define targets: then only addresses of the public internet are reached. */
  guard: 'any' | 'public'
  /** The ports of the service's own servers, which nothing connects to, whatever the value of `guard`. */
  own_ports: OwnPorts
  /** Resolves names to addresses; by default with the resolver of this machine. */
  look_up?: LookUp
  /** The moment at which certificates are verified. */
  now?: () => Date
}

/** One attempt to reach a target: its present activity, its timeout, and the resources to close at its end. */
export class Attempt {
  readonly guard: Reach['guard']
  readonly ownPorts: Reach['own_ports']
  readonly lookUp: LookUp
  readonly now: () => Date
  /** Ends the timeout; set by the caller that started the timeout. */
  stopTimeout: () => void = () => {}
  /** The host and port of the current connection, for the evidence. */
  where = ''
  /** Whether the target has redirected to the current host. */
  redirected = false
  readonly #timeout: number
  readonly #started = performance.now()
  /** Made when it is asked for: most attempts over kept connections ask for none. */
  #over: AbortController | undefined
  #isOver = false
  readonly #held = new Set<{ destroy(): unknown }>()
  #doing = ''

  constructor(ctx: Reach) {
    this.guard = ctx.guard
    this.ownPorts = ctx.own_ports
    this.lookUp = ctx.look_up ?? lookUpAsThisMachine
    this.now = ctx.now ?? (() => new Date())
    this.#timeout = ctx.timeout_ms
  }

  /** Aborted at the end of the attempt, whatever the outcome. */
  get signal(): AbortSignal {
    this.#over ??= new AbortController()
    if (this.#isOver) this.#over.abort(OVER)
    return this.#over.signal
  }

  get elapsed(): number {
    return Math.round(performance.now() - this.#started)
  }

  get left(): number {
    return Math.max(0, this.#timeout - (performance.now() - this.#started))
  }

  /** Sets the activity that the evidence of a later timeout names. */
  doing(what: string, where = this.where): void {
    this.#doing = what
    this.where = where
  }

  timeoutEvidence(): string {
    const seconds = Number((this.#timeout / 1000).toFixed(1))
    return `${this.where || 'The target'} took longer than ${seconds} s (${this.#doing})`
  }

  /** A resource that is opened after the end of the attempt is closed at once. */
  hold<T extends { destroy(): unknown }>(thing: T): T {
    if (this.#isOver) thing.destroy()
    else this.#held.add(thing)
    return thing
  }

  end(): void {
    this.#isOver = true
    this.#over?.abort(OVER)
    for (const thing of this.#held) thing.destroy()
    this.#held.clear()
  }
}
