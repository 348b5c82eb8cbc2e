import type { Stage } from '../../src/domain/beats/stage/stage-rules.ts'
import type { Services } from '../../src/domain/kernel/services.ts'
import {
  type BeatOfShard,
  beatsOfShard,
  claimShard,
  type ShardRef,
  type ShardState,
} from '../../src/persistence/system/shards.ts'
import type { BeatConfig } from './beat-config.ts'
import type { CheckScheduler } from './check-scheduler.ts'
import type { HeldEnd, Holding } from './lease.ts'

interface Parts {
  services: Pick<Services, 'system' | 'logger'>
  ref: ShardRef
  /** Names this process among all that may hold the shard. */
  holder: string
  scheduler: CheckScheduler
  load(ids: number[]): Promise<BeatConfig[]>
}

/** A shard that this process holds: reads its beats and their changes, and passes them to the scheduler. */
export class Shard {
  readonly over: Holding['over']
  readonly #parts: Parts
  readonly #end = Promise.withResolvers<HeldEnd>()
  #revision = -1
  #ours = false
  #reading: Promise<unknown> = Promise.resolve()
  #busy = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.over = this.#end.promise
  }

  get ref(): ShardRef {
    return this.#parts.ref
  }

  /** Whether this process has claimed the shard. An earlier state of the row does not count. */
  get ours(): boolean {
    return this.#ours
  }

  /** Claims the shard for this process, and reads its beats with their state. */
  take(): Promise<void> {
    return this.#inTurn(async () => {
      const { services, ref, holder } = this.#parts
      const revision = await claimShard(services.system, ref, holder)
      if (revision === undefined) this.end('empty')
      else await this.#read(revision, true)
      this.#ours = true
    })
  }

  /** Acts on the row of the shard; undefined if the row was deleted. */
  applyState(state: ShardState | undefined): void {
    const { holder, services } = this.#parts
    if (!state) this.end('empty')
    else if (state.holder !== null && state.holder !== holder) this.end('lost')
    else if (this.#busy === 0 && (state.revision !== this.#revision || state.holder === null)) {
      // A row without a holder is new: the row that this process had claimed was deleted.
      const reading = state.holder === null ? this.take() : this.#inTurn(() => this.#read(state.revision, false))
      reading.catch((error) =>
        services.logger.warn(
          { err: error, ...this.ref },
          'the changed beats of a shard could not be read; the next read follows',
        ),
      )
    }
  }

  /** Resolves once no check of the shard runs. Checks that still run after `patienceMs` are aborted. */
  finished(patienceMs: number): Promise<void> {
    return this.#parts.scheduler.finished(patienceMs)
  }

  end(how: HeldEnd): void {
    this.#parts.scheduler.stop()
    this.#end.resolve(how)
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#busy += 1
    const mine = this.#reading.then(work).finally(() => {
      this.#busy -= 1
    })
    this.#reading = mine.catch(() => {})
    return mine
  }

  async #read(revision: number, withStages: boolean): Promise<void> {
    const { services, ref, scheduler, load } = this.#parts
    const beats = await beatsOfShard(services.system, ref)
    const { versions } = scheduler
    const others = beats.filter((beat) => versions.get(beat.id) !== beat.config_version)
    const loaded = await load(others.map(({ id }) => id))
    // Unschedules beats that left the shard, and changed beats that could not be read.
    const kept = new Set(beats.map(({ id }) => id))
    for (const { id } of others) kept.delete(id)
    for (const { id } of loaded) kept.add(id)
    for (const id of versions.keys()) if (!kept.has(id)) scheduler.unschedule(id)
    scheduler.schedule(loaded)
    if (withStages) for (const beat of beats) scheduler.know(beat.id, knownOf(beat))
    this.#revision = revision
  }
}

const knownOf = ({ current_stage, unknown }: BeatOfShard) => ({ stage: current_stage as Stage | null, unknown })
