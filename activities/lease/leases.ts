import { randomUUID } from 'node:crypto'
import type { Stage } from '../../src/domain/beats/stage/stage-rules.ts'
import type { Services } from '../../src/domain/kernel/services.ts'
import { storeResults } from '../../src/persistence/system/beat-results.ts'
import { type ShardRef, shardStates } from '../../src/persistence/system/shards.ts'
import type { Metrics } from '../../src/runtime/metrics.ts'
import type { CheckOutcome } from '../checks/contract.ts'
import { checkFor } from '../checks/index.ts'
import type { BeatConfig } from './beat-config.ts'
import { CheckScheduler } from './check-scheduler.ts'
import type { HeldEnd, Holding } from './lease.ts'
import { loadBeats } from './load.ts'
import { openResultBuffer } from './result-buffer.ts'
import { Shard } from './shard.ts'
import { openStageRequests } from './stage-requests.ts'
import { realTimers, type Timers } from './timers.ts'

/** All leases of one process. */
export interface Leases {
  hold(ref: ShardRef): Promise<Holding>
  /** Stops every check, and stores the results. */
  close(): Promise<void>
}

interface Options {
  services: Services
  metrics: Pick<Metrics, 'checks' | 'slotLateness' | 'resultsWaiting' | 'resultsDropped' | 'shardsHeld'>
  timers?: Timers
  check?: (beat: BeatConfig, signal: AbortSignal) => Promise<CheckOutcome>
  /** How long this process keeps checking a shard between two leases. */
  lingerMs?: number
}

const READ_SHARDS_EVERY_MS = 250
const LINGER_MS = 10 * 60_000
/** How long the end of the process waits for running checks. */
const FINISH_MS = 3000

export function openLeases({ services, metrics, timers = realTimers, lingerMs = LINGER_MS, ...rest }: Options): Leases {
  const { system, logger, beatTargets: guard, ownPorts: own_ports, evaluator } = services
  const holder = randomUUID()
  const shards = new Map<string, { shard: Shard; leases: number; leave?: () => void }>()
  const requests = openStageRequests(services)
  const check =
    rest.check ??
    ((beat: BeatConfig, signal: AbortSignal) =>
      checkFor(beat.type)(beat.target, {
        signal,
        timeout_ms: beat.timeout_ms,
        guard,
        own_ports,
        evaluate: (evaluation) => evaluator.evaluate(beat.page_id, evaluation),
      }))
  const buffer = openResultBuffer({
    timers,
    logger,
    async store(results) {
      const known = await storeResults(system, results)
      return new Map(
        known.map(({ id, current_stage, unknown }) => [id, { stage: current_stage as Stage | null, unknown }]),
      )
    },
    evaluate: requests.evaluate,
    observe(what) {
      if ('backlog' in what) metrics.resultsWaiting.set(what.backlog)
      else metrics.resultsDropped.inc(what.dropped)
    },
  })
  let closed = false
  let reading = false

  function shardOf(ref: ShardRef): Shard {
    const { region } = ref
    const lateness = metrics.slotLateness.labels(region)
    const scheduler = new CheckScheduler({
      region,
      timers,
      check,
      submit: buffer.submit,
      requestEvaluation: requests.requestEvaluation,
      reportUnable: (beat, because) => requests.reportUnable(beat, { region, because }),
      logger,
      observe(result, lateMs) {
        metrics.checks.labels(region, result).inc()
        if (lateMs !== undefined) lateness.observe(lateMs / 1000)
      },
    })
    return new Shard({ services, ref, holder, scheduler, load: (ids) => loadBeats(services, region, ids) })
  }

  function drop(key: string, how: HeldEnd, which?: Shard): void {
    const entry = shards.get(key)
    if (!entry || (which && entry.shard !== which)) return
    shards.delete(key)
    entry.leave?.()
    entry.shard.end(how)
    metrics.shardsHeld.labels(entry.shard.ref.region).dec()
  }

  async function readShards(): Promise<void> {
    const before = [...shards].filter(([, { shard }]) => shard.ours)
    if (reading || before.length === 0) return
    reading = true
    try {
      const rows = await shardStates(
        system,
        before.map(([, { shard }]) => shard.ref),
      )
      const states = new Map(rows.map((row) => [keyOf(row), row]))
      for (const [key, { shard }] of before) shard.applyState(states.get(key))
    } catch (error) {
      logger.debug({ err: error }, 'the state of the shards could not be read; the next read follows')
    } finally {
      reading = false
    }
  }

  const timer = setInterval(() => void readShards(), READ_SHARDS_EVERY_MS)

  return {
    async hold(ref) {
      // A process that ends takes no shard.
      if (closed) return { over: Promise.resolve('over' as const), release() {} }
      const key = keyOf(ref)
      let entry = shards.get(key)
      if (!entry) {
        const made = shardOf(ref)
        entry = { shard: made, leases: 0 }
        shards.set(key, entry)
        metrics.shardsHeld.labels(ref.region).inc()
        void made.over.then((how) => drop(key, how, made))
      }
      const { shard } = entry
      const mine = entry
      mine.leases += 1
      mine.leave?.()
      const release = () => {
        mine.leases -= 1
        if (mine.leases > 0 || shards.get(key) !== mine) return
        mine.leave = timers.after(lingerMs, () => drop(key, 'over'))
      }
      try {
        await shard.take()
      } catch (error) {
        release()
        throw error
      }
      return { over: shard.over, release }
    },
    async close() {
      closed = true
      clearInterval(timer)
      const held = [...shards.values()].map(({ shard }) => shard)
      for (const key of [...shards.keys()]) drop(key, 'over')
      await Promise.all(held.map((shard) => shard.finished(FINISH_MS)))
      await buffer.close()
      await requests.close()
    },
  }
}

const keyOf = ({ region, shard }: ShardRef) => `${region}:${shard}`
