import type { Stage } from '../../src/domain/beats/stage/stage-rules.ts'
import type { Services } from '../../src/domain/kernel/services.ts'
import {
  type BeatOfShard,
  beatsOfShard,
  claimShard,
  type ShardNews,
  type ShardRef,
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

/** A shard in this process: its scheduler, and how they learn what is new. */
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

  /** Whether it has been taken: what was asked about it before says nothing. */
  get ours(): boolean {
    return this.#ours
  }

  /** Makes the shard ours, and reads its beats with all that is known of them. */
  take(): Promise<void> {
    return this.#inTurn(async () => {
      const { services, ref, holder } = this.#parts
      const revision = await claimShard(services.system, ref, holder)
      if (revision === undefined) this.end('empty')
      else await this.#read(revision, true)
      this.#ours = true
    })
  }

  /** What the database says of the shard now, or that it is gone. */
  hear(news: ShardNews | undefined): void {
    const { holder, services } = this.#parts
    if (!news) this.end('empty')
    else if (news.holder !== null && news.holder !== holder) this.end('lost')
    else if (this.#busy === 0 && (news.revision !== this.#revision || news.holder === null)) {
      // A row without a holder is a new one, in the place of the one that was ours.
      const reading = news.holder === null ? this.take() : this.#inTurn(() => this.#read(news.revision, false))
      reading.catch((error) =>
        services.logger.warn({ err: error, ...this.ref }, 'beats could not be read anew; it is tried again'),
      )
    }
  }

  /** Resolves once none of its checks runs any more; after so long they are called off. */
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

  async #read(revision: number, knowing: boolean): Promise<void> {
    const { services, ref, scheduler, load } = this.#parts
    const beats = await beatsOfShard(services.system, ref)
    const { versions } = scheduler
    const others = beats.filter((beat) => versions.get(beat.id) !== beat.config_version)
    const loaded = await load(others.map(({ id }) => id))
    // Whatever has no place any more, and what could not be read: it is not what it was.
    const kept = new Set(beats.map(({ id }) => id))
    for (const { id } of others) kept.delete(id)
    for (const { id } of loaded) kept.add(id)
    for (const id of versions.keys()) if (!kept.has(id)) scheduler.unschedule(id)
    scheduler.schedule(loaded)
    if (knowing) for (const beat of beats) scheduler.know(beat.id, knownOf(beat))
    this.#revision = revision
  }
}

const knownOf = ({ current_stage, unknown }: BeatOfShard) => ({ stage: current_stage as Stage | null, unknown })
