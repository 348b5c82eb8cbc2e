import type { Logger } from 'pino'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import type { CheckOutcome } from '../checks/check.ts'
import { CheckImpossible } from '../checks/evidence.ts'
import { rowOf } from '../checks/row.ts'
import { dueOf, firstTurn, patienceOf, slotAt } from './grid-rules.ts'
import { Seat } from './seat.ts'
import type { Stored } from './sink.ts'
import type { Timers } from './timers.ts'
import type { Watched } from './watched.ts'

type CheckResult = 'ok' | 'failed' | 'impossible' | 'broken' | 'passed'

export interface RoundsOptions {
  region: string
  timers: Timers
  check(beat: Watched, signal: AbortSignal): Promise<CheckOutcome>
  submit(result: NewResult, stored: Stored, evaluate: boolean): void
  /** The stage of a beat may have to change: whoever decides is asked. */
  ask(beat: Pick<Watched, 'id' | 'page_id'>): Promise<void>
  /** Why a beat cannot be checked from here; true once that has been told. */
  cannot(beat: Watched, because: string): Promise<boolean>
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
export class Rounds {
  readonly #options: RoundsOptions
  readonly #seats = new Map<number, Seat>()
  readonly #flying = new Map<Promise<void>, AbortController>()
  #cancel: (() => void) | undefined
  #stopped = false

  constructor(options: RoundsOptions) {
    this.#options = options
  }

  /** By beat, the configuration that is checked. */
  get versions(): Map<number, number> {
    return new Map([...this.#seats].map(([id, { beat }]) => [id, beat.config_version]))
  }

  /** Beats that are new, or another than before. */
  seat(beats: Watched[]): void {
    if (this.#stopped) return
    const { region, timers } = this.#options
    for (const beat of beats) {
      const old = this.#seats.get(beat.id)
      const seat = new Seat(beat, region, timers.now())
      if (old) seat.follow(old)
      this.#seats.set(beat.id, seat)
      this.#consider(seat)
    }
    this.#tick()
  }

  unseat(beatId: number): void {
    this.#seats.get(beatId)?.running?.abort()
    this.#seats.delete(beatId)
  }

  know(beatId: number, known: Watched['known']): void {
    const seat = this.#seats.get(beatId)
    seat?.know(known)
    if (seat) this.#consider(seat)
  }

  /** No check is begun any more. What runs is finished and stored, as whoever is next here does not know of it. */
  stop(): void {
    this.#stopped = true
    this.#cancel?.()
    this.#seats.clear()
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
    if (this.#stopped || this.#seats.size === 0) return
    const { timers } = this.#options
    const now = timers.now()
    let next = now + LONGEST_SLEEP_MS
    for (const seat of this.#seats.values()) {
      if (seat.turn.at <= now) this.#take(seat, now)
      // The clock was set back.
      else if (seat.turn.at > now + seat.grid.interval) seat.turn = firstTurn(seat.grid, now, now)
      if (seat.turn.at < next) next = seat.turn.at
    }
    this.#cancel = timers.after(Math.max(next - timers.now(), 1), () => this.#tick())
  }

  /** Of what is due only the last slot is taken: what was missed before it is not made up. */
  #take(seat: Seat, now: number): void {
    const { grid, turn } = seat
    const slot = slotAt(grid, now)
    const due = dueOf(grid, slot)
    seat.turn = { slot: slot + 1, at: dueOf(grid, slot + 1) }
    const planned = turn.slot === slot && turn.at > due
    const late = now - due > patienceOf(grid)
    if (late && !planned) return
    if (seat.running) this.#options.observe('passed')
    // A first look has no place on the grid: it is of its own moment.
    else this.#begin(seat, late ? { slot: null, due: now, now } : { slot, due, now })
  }

  #begin(seat: Seat, place: Place): void {
    const running = new AbortController()
    seat.running = running
    const flight = this.#run(seat, place, running).finally(() => this.#flying.delete(flight))
    this.#flying.set(flight, running)
  }

  async #run(seat: Seat, { slot, due, now }: Place, running: AbortController): Promise<void> {
    const { region, check, submit, observe, logger } = this.#options
    const { beat } = seat
    try {
      const outcome = await check(beat, running.signal)
      if (running.signal.aborted) return
      if (outcome.refused) return this.#cannot(seat, outcome.evidence)
      observe(outcome.ok ? 'ok' : 'failed', now - due)
      seat.able()
      const moments = { due_at: new Date(due), at: new Date(now) }
      const { id: beat_id, page_id, target_number } = beat
      const result = { beat_id, page_id, region, slot, target_number, ...moments, ...rowOf(outcome) }
      const here = this.#seats.get(beat_id)
      // Another process may have taken the beat over without this result, so the result is evaluated here.
      const evaluate = here ? here.add(result) : true
      submit(result, (...stored) => this.#stored(...stored), evaluate)
    } catch (error) {
      if (running.signal.aborted) return
      if (error instanceof CheckImpossible) {
        this.#cannot(seat, error.message)
      } else {
        observe('broken')
        logger.error({ beat_id: beat.id, err: error }, 'a check broke, and that is a mistake of ours')
      }
    } finally {
      const here = this.#seats.get(beat.id)
      if (here?.running === running) here.running = null
    }
  }

  /** That is no result: it says nothing about the target. */
  #cannot(seat: Seat, because: string): void {
    const { observe, cannot, logger, timers } = this.#options
    observe('impossible')
    if (!seat.unable(because, timers.now())) return
    logger.warn({ beat_id: seat.beat.id }, because)
    cannot(seat.beat, because).then(
      (told) => told && seat.told(because),
      () => {},
    )
  }

  #stored(...[result, known]: Parameters<Stored>): void {
    const seat = this.#seats.get(result.beat_id)
    if (seat?.stored(result, known)) this.#ask(seat)
  }

  /** What was stored before anybody could be asked about it is asked about now. */
  #consider(seat: Seat): void {
    if (seat.doubts(this.#options.timers.now())) this.#ask(seat)
  }

  #ask(seat: Seat): void {
    const { ask, timers } = this.#options
    ask(seat.beat).catch(() => {
      seat.unheard()
      timers.after(ASK_AGAIN_MS, () => {
        if (this.#seats.get(seat.beat.id) === seat) this.#consider(seat)
      })
    })
  }
}
