import type { Logger } from 'pino'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import type { CheckOutcome } from '../checks/check.ts'
import { CheckImpossible } from '../checks/evidence.ts'
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
  submit(result: NewResult, stored: Stored): void
  /** The stage of a beat may have to change: whoever decides is asked. */
  ask(beat: Watched): Promise<void>
  /** Why a beat cannot be checked from here; true once that has been told. */
  cannot(beat: Watched, because: string): Promise<boolean>
  observe(result: CheckResult, lateMs?: number): void
  logger: Logger
}

/** A clock may be set meanwhile. */
const LONGEST_SLEEP_MS = 30_000

/** Checks the beats of a shard, each on its own grid, until it is stopped. One timer serves all of them. */
export class Rounds {
  readonly #options: RoundsOptions
  readonly #seats = new Map<number, Seat>()
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
      // What runs would say something about the beat that it is no more.
      old?.running?.abort()
      if (old && old.beat.tail.length > beat.tail.length) beat.tail = old.beat.tail.slice(0, beat.depth)
      this.#seats.set(beat.id, new Seat(beat, region, timers.now()))
    }
    this.#tick()
  }

  unseat(beatId: number): void {
    this.#seats.get(beatId)?.running?.abort()
    this.#seats.delete(beatId)
  }

  know(beatId: number, known: Watched['known']): void {
    this.#seats.get(beatId)?.know(known)
  }

  stop(): void {
    this.#stopped = true
    this.#cancel?.()
    for (const id of [...this.#seats.keys()]) this.unseat(id)
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
    if (!planned && now - due > patienceOf(grid)) return
    if (seat.running) this.#options.observe('passed')
    else void this.#run(seat, { slot, due, now })
  }

  async #run(seat: Seat, { slot, due, now }: { slot: number; due: number; now: number }): Promise<void> {
    const { region, check, submit, observe, logger } = this.#options
    const { beat } = seat
    const running = new AbortController()
    seat.running = running
    try {
      const outcome = await check(beat, running.signal)
      if (running.signal.aborted) return
      if (outcome.refused) return this.#cannot(seat, outcome.evidence)
      observe(outcome.ok ? 'ok' : 'failed', now - due)
      seat.able()
      const moments = { due_at: new Date(due), at: new Date(now) }
      submit({ beat_id: beat.id, page_id: beat.page_id, region, slot, ...moments, ...rowOf(outcome) }, (...stored) =>
        this.#stored(...stored),
      )
    } catch (error) {
      if (running.signal.aborted) return
      if (error instanceof CheckImpossible) {
        this.#cannot(seat, error.message)
      } else {
        observe('broken')
        logger.error({ beat_id: beat.id, err: error }, 'a check broke, and that is a mistake of ours')
      }
    } finally {
      seat.running = null
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
    if (seat?.hear(result, known)) this.#options.ask(seat.beat).catch(() => seat.unheard())
  }
}

const whole = (value: number | undefined) => (value === undefined ? null : Math.round(value))

const rowOf = ({ ok, latency_ms, status_code, packet_loss, certificate_days, evidence }: CheckOutcome) => ({
  ok,
  latency_ms: latency_ms === null ? null : Math.round(latency_ms),
  status_code: status_code ?? null,
  packet_loss: whole(packet_loss),
  certificate_days: whole(certificate_days),
  evidence: evidence.toWellFormed(),
})
