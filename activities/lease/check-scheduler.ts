import type { Logger } from 'pino'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import type { CheckOutcome } from '../checks/check.ts'
import { CheckImpossible } from '../checks/evidence.ts'
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
  /** The stage of a beat may have to change: whoever decides is asked. */
  ask(beat: Pick<BeatConfig, 'id' | 'page_id'>): Promise<void>
  /** Why a beat cannot be checked from here; true once that has been told. */
  cannot(beat: BeatConfig, because: string): Promise<boolean>
  observe(result: CheckResult, lateMs?: number): void
  logger: Logger
}

/** How long nobody is asked again who could not be asked. */
const ASK_AGAIN_MS = 2000

/** The check of a slot, or of none. */
interface Place {
  slot: number | null
  due: number
  now: number
}

/** A clock may be set meanwhile. */
const LONGEST_SLEEP_MS = 30_000

/** Checks the beats of a shard, each on its own grid, until it is stopped. One timer serves all of them. */
export class CheckScheduler {
  readonly #options: CheckSchedulerOptions
  readonly #scheduled = new Map<number, ScheduledBeat>()
  readonly #flying = new Map<Promise<void>, AbortController>()
  #cancel: (() => void) | undefined
  #stopped = false

  constructor(options: CheckSchedulerOptions) {
    this.#options = options
  }

  /** By beat, the configuration that is checked. */
  get versions(): Map<number, number> {
    return new Map([...this.#scheduled].map(([id, { beat }]) => [id, beat.config_version]))
  }

  /** Beats that are new, or another than before. */
  schedule(beats: BeatConfig[]): void {
    if (this.#stopped) return
    const { region, timers } = this.#options
    for (const beat of beats) {
      const old = this.#scheduled.get(beat.id)
      const scheduled = new ScheduledBeat(beat, region, timers.now())
      if (old) scheduled.follow(old)
      this.#scheduled.set(beat.id, scheduled)
      this.#consider(scheduled)
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
    if (scheduled) this.#consider(scheduled)
  }

  /** No check is begun any more. What runs is finished and stored, as whoever is next here does not know of it. */
  stop(): void {
    this.#stopped = true
    this.#cancel?.()
    this.#scheduled.clear()
  }

  /** Resolves once nothing runs any more; what still does after so long is called off. */
  async finished(patienceMs: number): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const cancel = this.#options.timers.after(patienceMs, resolve)
    await Promise.race([Promise.allSettled(this.#flying.keys()), late])
    cancel()
    for (const running of this.#flying.values()) running.abort()
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

  /** Of what is due only the last slot is taken: what was missed before it is not made up. */
  #take(scheduled: ScheduledBeat, now: number): void {
    const { grid, turn } = scheduled
    const slot = slotAt(grid, now)
    const due = dueOf(grid, slot)
    scheduled.turn = { slot: slot + 1, at: dueOf(grid, slot + 1) }
    const planned = turn.slot === slot && turn.at > due
    const late = now - due > patienceOf(grid)
    if (late && !planned) return
    if (scheduled.running) this.#options.observe('passed')
    // A first look has no place on the grid: it is of its own moment.
    else this.#begin(scheduled, late ? { slot: null, due: now, now } : { slot, due, now })
  }

  #begin(scheduled: ScheduledBeat, place: Place): void {
    const running = new AbortController()
    scheduled.running = running
    const flight = this.#run(scheduled, place, running).finally(() => this.#flying.delete(flight))
    this.#flying.set(flight, running)
  }

  async #run(scheduled: ScheduledBeat, { slot, due, now }: Place, running: AbortController): Promise<void> {
    const { region, check, submit, observe, logger } = this.#options
    const { beat } = scheduled
    try {
      const outcome = await check(beat, running.signal)
      if (running.signal.aborted) return
      if (outcome.refused) return this.#cannot(scheduled, outcome.evidence)
      observe(outcome.ok ? 'ok' : 'failed', now - due)
      scheduled.able()
      const moments = { due_at: new Date(due), at: new Date(now) }
      const { id: beat_id, page_id, target_number } = beat
      const result = { beat_id, page_id, region, slot, target_number, ...moments, ...rowOf(outcome) }
      const here = this.#scheduled.get(beat_id)
      // Another process may have taken the beat over without this result, so the result is evaluated here.
      const evaluate = here ? here.add(result) : true
      submit(result, (...stored) => this.#stored(...stored), evaluate)
    } catch (error) {
      if (running.signal.aborted) return
      if (error instanceof CheckImpossible) {
        this.#cannot(scheduled, error.message)
      } else {
        observe('broken')
        logger.error({ beat_id: beat.id, err: error }, 'a check broke, and that is a mistake of ours')
      }
    } finally {
      const here = this.#scheduled.get(beat.id)
      if (here?.running === running) here.running = null
    }
  }

  /** That is no result: it says nothing about the target. */
  #cannot(scheduled: ScheduledBeat, because: string): void {
    const { observe, cannot, logger, timers } = this.#options
    observe('impossible')
    if (!scheduled.unable(because, timers.now())) return
    logger.warn({ beat_id: scheduled.beat.id }, because)
    cannot(scheduled.beat, because).then(
      (told) => told && scheduled.told(because),
      () => {},
    )
  }

  #stored(...[result, known]: Parameters<Stored>): void {
    const scheduled = this.#scheduled.get(result.beat_id)
    if (scheduled?.stored(result, known)) this.#ask(scheduled)
  }

  /** What was stored before anybody could be asked about it is asked about now. */
  #consider(scheduled: ScheduledBeat): void {
    if (scheduled.doubts(this.#options.timers.now())) this.#ask(scheduled)
  }

  #ask(scheduled: ScheduledBeat): void {
    const { ask, timers } = this.#options
    ask(scheduled.beat).catch(() => {
      scheduled.requestFailed()
      timers.after(ASK_AGAIN_MS, () => {
        if (this.#scheduled.get(scheduled.beat.id) === scheduled) this.#consider(scheduled)
      })
    })
  }
}
