import { isDeepStrictEqual } from 'node:util'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import type { BeatConfig } from './beat-config.ts'
import { firstTurn, type Grid, gridOf, type Turn } from './grid-rules.ts'
import { type Known, localStageOf } from './local-stage-rules.ts'

/** The longest pause before a report or a request is repeated. */
const LONGEST_PAUSE_MS = 60_000
const FIRST_PAUSE_MS = 5000

/** A beat of a lease: its next check, its running check, and whether its stage needs an evaluation. */
export class ScheduledBeat {
  readonly beat: BeatConfig
  readonly grid: Grid
  turn: Turn
  /** Set while a check runs. */
  running: AbortController | null = null
  /** The reason why this region cannot check the beat, the moment of the last report, and whether that report is settled. */
  #unable = { because: '', at: 0, settled: false }
  #key = ''
  #requestedAt = 0
  #pause = 0
  readonly #scheduledAt: number
  /** Facts have changed since the last request for an evaluation. */
  #hasNewFacts = true

  constructor(beat: BeatConfig, region: string, now: number) {
    this.beat = beat
    this.#scheduledAt = now
    this.grid = gridOf(beat.id, region, beat.interval_seconds * 1000)
    this.turn = firstTurn(this.grid, now, beat.tail[0]?.due ?? null)
  }

  /** Takes over the state that was read from the database. */
  know(known: Known): void {
    this.beat.known = known
    this.#hasNewFacts = true
  }

  /** Adds a result. Returns whether the stage of the beat needs an evaluation now. */
  add(result: NewResult): boolean {
    const { beat } = this
    const { tail } = beat
    const due = result.due_at.getTime()
    // A result of an earlier target does not count.
    if (result.target_number !== beat.target_number) return false
    if (!tail.some((one) => one.due === due)) {
      const place = tail.findIndex((one) => one.due < due)
      tail.splice(place < 0 ? tail.length : place, 0, { ...seenIn(result), due })
      if (tail.length > beat.depth) tail.length = beat.depth
    }
    return this.needsEvaluation(result.at.getTime())
  }

  /** A result is stored, and `known` is the state since then. Returns whether the stage needs another evaluation. */
  stored(result: NewResult, known: Known | undefined): boolean {
    if (known) this.beat.known = known
    return this.needsEvaluation(result.at.getTime())
  }

  /** Whether the results may mean another stage than the known stage, and no request for an evaluation covers them. */
  needsEvaluation(now: number): boolean {
    const { policies, tail, known } = this.beat
    if (tail.length === 0) return false
    const { differs, key } = localStageOf(policies, tail, known)
    if (key !== this.#key) this.#hasNewFacts = true
    this.#key = key
    if (!differs || !(this.#hasNewFacts || now - this.#requestedAt >= this.#pause)) return false
    // The stage also depends on facts that this lease does not see, such as results of other regions. So requests are
    // repeated, at growing intervals.
    this.#pause = this.#hasNewFacts ? FIRST_PAUSE_MS : Math.min(2 * this.#pause, LONGEST_PAUSE_MS)
    this.#hasNewFacts = false
    this.#requestedAt = now
    return true
  }

  /** Takes over the tail, the running check and the turn of the earlier configuration, as far as they still apply. */
  follow(old: ScheduledBeat): void {
    const { beat } = this
    const [was, is] = [old.beat, beat]
    const same = was.type === is.type && was.timeout_ms === is.timeout_ms && isDeepStrictEqual(was.target, is.target)
    if (was.target_number === is.target_number && was.tail.length > is.tail.length)
      is.tail = was.tail.slice(0, is.depth)
    if (same) {
      // Checks cache data by the target object.
      is.target = was.target
      this.running = old.running
      if (was.interval_seconds === is.interval_seconds) this.turn = old.turn
      return
    }
    // The running check is of the earlier target. The present target is checked soon.
    old.running?.abort()
    this.turn = firstTurn(this.grid, this.#scheduledAt, null)
  }

  /** The beat could not be checked. Returns whether to report the reason now. */
  setUnable(because: string, now: number): boolean {
    const { because: before, at, settled } = this.#unable
    if (because === before && (settled || now - at < LONGEST_PAUSE_MS)) return false
    this.#unable = { because, at: now, settled: false }
    return true
  }

  /** The report of this reason needs no repetition. */
  settleUnable(because: string): void {
    if (this.#unable.because === because) this.#unable.settled = true
  }

  setAble(): void {
    this.#unable = { because: '', at: 0, settled: false }
  }

  /** The request for an evaluation failed: the next result repeats the request. */
  requestFailed(): void {
    this.#hasNewFacts = true
  }
}

const seenIn = ({ ok, latency_ms, packet_loss, certificate_days }: NewResult) => ({
  ok,
  latency_ms,
  packet_loss,
  certificate_days,
})
