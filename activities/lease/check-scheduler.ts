import type { Logger } from 'pino'
import { CheckImpossible } from '../../src/outbound/connections/failure.ts'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import type { CheckOutcome } from '../checks/contract.ts'
import { rowOf } from '../checks/row.ts'
import type { BeatConfig } from './beat-config.ts'
import { dueOf, firstTurn, patienceOf, slotAt } from './grid-rules.ts'
import type { Stored } from './result-buffer.ts'
import { ScheduledBeat } from './scheduled-beat.ts'
import type { Timers } from './timers.ts'

type CheckResult = 'ok' | 'failed' | 'impossible' | 'broken' | 'passed'

export interface CheckSchedulerOptions {
  region: string
  timers: Timers
  check(beat: BeatConfig, signal: AbortSignal): Promise<CheckOutcome>
  submit(result: NewResult, stored: Stored, evaluate: boolean): void
  /** Evaluates the stage of a beat by its stored results. */
  requestEvaluation(beat: Pick<BeatConfig, 'id' | 'page_id'>): Promise<void>
  /** Reports that this region cannot check a beat; true if the report needs no repetition. */
  reportUnable(beat: BeatConfig, because: string): Promise<boolean>
  observe(result: CheckResult, lateMs?: number): void
  logger: Logger
}

/** The pause before a failed request for an evaluation is repeated. */
const REQUEST_AGAIN_MS = 2000

/** The moment of a check; without a slot for a first check outside the grid. */
interface Occasion {
  slot: number | null
  due: number
  now: number
}

/** The longest sleep, because the clock may be set during the sleep. */
const LONGEST_SLEEP_MS = 30_000

/** Checks the beats of a shard, each on its own grid, until it is stopped. One timer serves all of them. */
export class CheckScheduler {
  readonly #options: CheckSchedulerOptions
  readonly #scheduled = new Map<number, ScheduledBeat>()
  readonly #inFlight = new Map<Promise<void>, AbortController>()
  #cancel: (() => void) | undefined
  #stopped = false

  constructor(options: CheckSchedulerOptions) {
    this.#options = options
  }

  /** The version of the present configuration of each beat. */
  get versions(): Map<number, number> {
    return new Map([...this.#scheduled].map(([id, { beat }]) => [id, beat.config_version]))
  }

  /** Takes over new beats, and beats with a new configuration. */
  schedule(beats: BeatConfig[]): void {
    if (this.#stopped) return
    const { region, timers } = this.#options
    for (const beat of beats) {
      const old = this.#scheduled.get(beat.id)
      const scheduled = new ScheduledBeat(beat, region, timers.now())
      if (old) scheduled.follow(old)
      this.#scheduled.set(beat.id, scheduled)
      this.#requestIfDue(scheduled)
    }
    this.#tick()
  }

  unschedule(beatId: number): void {
    this.#scheduled.get(beatId)?.running?.abort()
    this.#scheduled.delete(beatId)
  }

  know(beatId: number, known: BeatConfig['known']): void {
    const scheduled = this.#scheduled.get(beatId)
    scheduled?.know(known)
    if (scheduled) this.#requestIfDue(scheduled)
  }

  /** Begins no more checks. Running checks finish and are stored, because the next holder does not know of them. */
  stop(): void {
    this.#stopped = true
    this.#cancel?.()
    this.#scheduled.clear()
  }

  /** Resolves once no check runs. Checks that still run after `patienceMs` are aborted. */
  async finished(patienceMs: number): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const cancel = this.#options.timers.after(patienceMs, resolve)
    await Promise.race([Promise.allSettled(this.#inFlight.keys()), late])
    cancel()
    for (const running of this.#inFlight.values()) running.abort()
  }

  #tick(): void {
    this.#cancel?.()
    if (this.#stopped || this.#scheduled.size === 0) return
    const { timers } = this.#options
    const now = timers.now()
    let next = now + LONGEST_SLEEP_MS
    for (const scheduled of this.#scheduled.values()) {
      if (scheduled.turn.at <= now) this.#take(scheduled, now)
      // The clock was set back.
      else if (scheduled.turn.at > now + scheduled.grid.interval) scheduled.turn = firstTurn(scheduled.grid, now, now)
      if (scheduled.turn.at < next) next = scheduled.turn.at
    }
    this.#cancel = timers.after(Math.max(next - timers.now(), 1), () => this.#tick())
  }

  /** Takes only the last due slot: earlier missed slots are not made up. */
  #take(scheduled: ScheduledBeat, now: number): void {
    const { grid, turn } = scheduled
    const slot = slotAt(grid, now)
    const due = dueOf(grid, slot)
    scheduled.turn = { slot: slot + 1, at: dueOf(grid, slot + 1) }
    const planned = turn.slot === slot && turn.at > due
    const late = now - due > patienceOf(grid)
    if (late && !planned) return
    if (scheduled.running) this.#options.observe('passed')
    // The first check of a new beat has no slot, and its due moment is now.
    else this.#begin(scheduled, late ? { slot: null, due: now, now } : { slot, due, now })
  }

  #begin(scheduled: ScheduledBeat, occasion: Occasion): void {
    const running = new AbortController()
    scheduled.running = running
    const flight = this.#run(scheduled, occasion, running).finally(() => this.#inFlight.delete(flight))
    this.#inFlight.set(flight, running)
  }

  async #run(scheduled: ScheduledBeat, { slot, due, now }: Occasion, running: AbortController): Promise<void> {
    const { region, check, submit, observe, logger } = this.#options
    const { beat } = scheduled
    try {
      const outcome = await check(beat, running.signal)
      if (running.signal.aborted) return
      if (outcome.refused) return this.#reportUnable(scheduled, outcome.evidence)
      observe(outcome.ok ? 'ok' : 'failed', now - due)
      scheduled.setAble()
      const moments = { due_at: new Date(due), at: new Date(now) }
      const { id: beat_id, page_id, target_number } = beat
      const result = { beat_id, page_id, region, slot, target_number, ...moments, ...rowOf(outcome) }
      const current = this.#scheduled.get(beat_id)
      // If another process has taken over the beat, that process does not know this result: it is evaluated here.
      const evaluate = current ? current.add(result) : true
      submit(result, (...stored) => this.#stored(...stored), evaluate)
    } catch (error) {
      if (running.signal.aborted) return
      if (error instanceof CheckImpossible) {
        this.#reportUnable(scheduled, error.message)
      } else {
        observe('broken')
        logger.error({ beat_id: beat.id, err: error }, 'a check of a beat failed by a bug of the service')
      }
    } finally {
      const current = this.#scheduled.get(beat.id)
      if (current?.running === running) current.running = null
    }
  }

  /** A check that this machine cannot run is no result of the target. */
  #reportUnable(scheduled: ScheduledBeat, because: string): void {
    const { observe, reportUnable, logger, timers } = this.#options
    observe('impossible')
    if (!scheduled.setUnable(because, timers.now())) return
    logger.warn({ beat_id: scheduled.beat.id }, because)
    reportUnable(scheduled.beat, because).then(
      (settled) => settled && scheduled.settleUnable(because),
      () => {},
    )
  }

  #stored(...[result, known]: Parameters<Stored>): void {
    const scheduled = this.#scheduled.get(result.beat_id)
    if (scheduled?.stored(result, known)) this.#request(scheduled)
  }

  /** Requests an evaluation of results that are stored but not evaluated. */
  #requestIfDue(scheduled: ScheduledBeat): void {
    if (scheduled.needsEvaluation(this.#options.timers.now())) this.#request(scheduled)
  }

  #request(scheduled: ScheduledBeat): void {
    const { requestEvaluation, timers } = this.#options
    requestEvaluation(scheduled.beat).catch(() => {
      scheduled.requestFailed()
      timers.after(REQUEST_AGAIN_MS, () => {
        if (this.#scheduled.get(scheduled.beat.id) === scheduled) this.#requestIfDue(scheduled)
      })
    })
  }
}
