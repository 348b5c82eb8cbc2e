import { isDeepStrictEqual } from 'node:util'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import type { BeatConfig } from './beat-config.ts'
import { firstTurn, type Grid, gridOf, type Turn } from './grid-rules.ts'
import { type Known, localStageOf } from './local-stage-rules.ts'

/** How long what changed nothing is not said again. */
const AGAIN_MS = 60_000
const SOON_MS = 5000

/** A beat in its place in a lease: what is next for it, what runs, and what is thought of it. */
export class ScheduledBeat {
  readonly beat: BeatConfig
  readonly grid: Grid
  turn: Turn
  /** Set while a check runs. */
  running: AbortController | null = null
  /** Why it cannot be checked from here: since when that has been tried to tell, or that it has been told. */
  #unable = { because: '', at: 0, told: false }
  #key = ''
  #asked = 0
  #pause = 0
  readonly #seated: number
  /** Something is new since the one who decides was last asked. */
  #fresh = true

  constructor(beat: BeatConfig, region: string, now: number) {
    this.beat = beat
    this.#seated = now
    this.grid = gridOf(beat.id, region, beat.interval_seconds * 1000)
    this.turn = firstTurn(this.grid, now, beat.tail[0]?.due ?? null)
  }

  /** The database was read anew. */
  know(known: Known): void {
    this.beat.known = known
    this.#fresh = true
  }

  /** A check has this result. Whether the stage of the beat may have to change, which is to be found out now. */
  add(result: NewResult): boolean {
    const { beat } = this
    const { tail } = beat
    const due = result.due_at.getTime()
    // It is of the target that it had before.
    if (result.target_number !== beat.target_number) return false
    if (!tail.some((one) => one.due === due)) {
      const place = tail.findIndex((one) => one.due < due)
      tail.splice(place < 0 ? tail.length : place, 0, { ...seenIn(result), due })
      if (tail.length > beat.depth) tail.length = beat.depth
    }
    return this.doubts(result.at.getTime())
  }

  /** A result is stored, and this is the stage since then. Whether that stage is to be evaluated once more. */
  stored(result: NewResult, known: Known | undefined): boolean {
    if (known) this.beat.known = known
    return this.doubts(result.at.getTime())
  }

  /** Whether what is stored may mean another stage than the one that is known, and that was not asked yet. */
  doubts(now: number): boolean {
    const { policies, tail, known } = this.beat
    if (tail.length === 0) return false
    const { differs, key } = localStageOf(policies, tail, known)
    if (key !== this.#key) this.#fresh = true
    this.#key = key
    if (!differs || !(this.#fresh || now - this.#asked >= this.#pause)) return false
    // What else the answer hangs on is not seen from here: another region that falls silent, or another process that
    // has stored something else of the same slot. So it is asked again, ever more seldom.
    this.#pause = this.#fresh ? SOON_MS : Math.min(2 * this.#pause, AGAIN_MS)
    this.#fresh = false
    this.#asked = now
    return true
  }

  /** Takes over from what it was under its last configuration, as far as that goes on. */
  follow(old: ScheduledBeat): void {
    const { beat } = this
    const [was, is] = [old.beat, beat]
    const same = was.type === is.type && was.timeout_ms === is.timeout_ms && isDeepStrictEqual(was.target, is.target)
    if (was.target_number === is.target_number && was.tail.length > is.tail.length)
      is.tail = was.tail.slice(0, is.depth)
    if (same) {
      // What checks keep for a target hangs on the object.
      is.target = was.target
      this.running = old.running
      if (was.interval_seconds === is.interval_seconds) this.turn = old.turn
      return
    }
    // What runs would say something about the beat that it is no more; what it is now is looked at soon.
    old.running?.abort()
    this.turn = firstTurn(this.grid, this.#seated, null)
  }

  /** It could not be checked; whether that is to be told now. */
  unable(because: string, now: number): boolean {
    const { because: before, at, told } = this.#unable
    if (because === before && (told || now - at < AGAIN_MS)) return false
    this.#unable = { because, at: now, told: false }
    return true
  }

  told(because: string): void {
    if (this.#unable.because === because) this.#unable.told = true
  }

  able(): void {
    this.#unable = { because: '', at: 0, told: false }
  }

  /** The one who decides could not be asked: the next result tries again. */
  requestFailed(): void {
    this.#fresh = true
  }
}

const seenIn = ({ ok, latency_ms, packet_loss, certificate_days }: NewResult) => ({
  ok,
  latency_ms,
  packet_loss,
  certificate_days,
})
