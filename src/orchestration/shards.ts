import type { Logger } from 'pino'
import {
  checksControlQueue,
  type ShardRef,
  shardWorkflow,
  shardWorkflowId,
  wakeSignal,
} from '../../workflows/contract.ts'
import { placesFor } from '../domain/beats/checks/shard-rules.ts'
import { reportedTypes } from '../domain/beats/types/index.ts'
import type { Orm } from '../persistence/orm.ts'
import { allShards, anyChange, assignBeats } from '../persistence/system/assignments.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Temporal } from './client.ts'

export interface Assigner {
  /** Sees to every beat and to the workflow of every shard, as it does each minute by itself. */
  everything(): Promise<void>
  /** Looks for changes now: somebody has told of one. */
  look(): void
  close(): Promise<void>
}

interface Options {
  system: Orm
  temporal: Temporal
  logger: Logger
  clock: () => Date
  metrics?: Pick<Metrics, 'shardsWanted'>
  /** How many shards this process can hold of each region. */
  slots: number
  lookEveryMs?: number
  everythingEveryMs?: number
}

const DEADLINE_MS = 2000

/** Assigns beats to the shards of their regions, soon after each change, and has each shard checked. */
export function startAssigner(options: Options): Assigner {
  const { system, temporal, logger, clock, metrics, slots, lookEveryMs = 1000, everythingEveryMs = 60_000 } = options
  /** New shards whose workflow Temporal has not been told of yet. */
  const owed = new Map<string, ShardRef>()
  let working: Promise<void> = Promise.resolve()
  let busy = 0

  async function assign(everything: boolean): Promise<void> {
    const assigned = await assignBeats(system, { now: clock(), reported: reportedTypes, placesFor, everything })
    for (const shard of assigned ?? []) owed.set(shardWorkflowId(shard), shard)
    for (const [id, shard] of owed) {
      await signalShard(temporal, shard)
      owed.delete(id)
    }
  }

  async function all(): Promise<void> {
    await assign(true)
    const shards = await allShards(system)
    for (const shard of shards) await startShard(temporal, shard)
    metrics?.shardsWanted.reset()
    for (const [region, { length: count }] of Map.groupBy(shards, ({ region }) => region)) {
      metrics?.shardsWanted.set({ region }, count)
      if (count > slots) {
        logger.warn({ region, count, slots }, 'there are more shards than one worker has slots: each 100 need one more')
      }
    }
  }

  function run(work: () => Promise<void>): Promise<void> {
    busy += 1
    working = working
      .then(work)
      .catch((error) => logger.debug({ err: error }, 'beats could not be assigned to shards; it is tried again'))
      .finally(() => {
        busy -= 1
      })
    return working
  }

  const look = async () => {
    if (owed.size > 0 || (await anyChange(system))) await assign(false)
  }
  const lookSoon = () => {
    // One that waits its turn sees what is new by then.
    if (busy < 2) void run(look)
  }
  const looking = setInterval(lookSoon, lookEveryMs)
  const minutely = setInterval(() => void run(all), everythingEveryMs)

  return {
    everything: () => run(all),
    look: lookSoon,
    async close() {
      clearInterval(looking)
      clearInterval(minutely)
      await working
    },
  }
}

const startOptions = (ref: ShardRef) => ({
  workflowId: shardWorkflowId(ref),
  taskQueue: checksControlQueue,
  args: [ref],
  staticSummary: `Checks of shard ${ref.shard} of the region ${ref.region}`,
})

/** The shard was empty before: its workflow may be about to end, and must look again. */
function signalShard({ client }: Temporal, ref: ShardRef): Promise<unknown> {
  const signal = { signal: wakeSignal, signalArgs: [] }
  return client.withDeadline(Date.now() + DEADLINE_MS, () =>
    client.workflow.signalWithStart(shardWorkflow, { ...startOptions(ref), ...signal }),
  )
}

/** Writes no event where it runs already. */
function startShard({ client }: Temporal, ref: ShardRef): Promise<unknown> {
  return client.withDeadline(Date.now() + DEADLINE_MS, () =>
    client.workflow.start(shardWorkflow, { ...startOptions(ref), workflowIdConflictPolicy: 'USE_EXISTING' }),
  )
}
