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
  /** Assigns all beats and starts the workflow of every shard, as the assigner does each minute. */
  everything(): Promise<void>
  /** Reads the changes of beats now, after a notice of a change. */
  readChanges(): void
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

/** Assigns beats to the shards of their regions, soon after each change, and starts the workflow of each shard. */
export function startAssigner(options: Options): Assigner {
  const { system, temporal, logger, clock, metrics, slots, lookEveryMs = 1000, everythingEveryMs = 60_000 } = options
  /** New shards whose workflow is not signalled yet. */
  const unsignalled = new Map<string, ShardRef>()
  let working: Promise<void> = Promise.resolve()
  let busy = 0

  async function assign(everything: boolean): Promise<void> {
    const assigned = await assignBeats(system, { now: clock(), reported: reportedTypes, placesFor, everything })
    for (const shard of assigned ?? []) unsignalled.set(shardWorkflowId(shard), shard)
    for (const [id, shard] of unsignalled) {
      await signalShard(temporal, shard)
      unsignalled.delete(id)
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
        logger.warn(
          { region, count, slots },
          'the region has more shards than one worker process can hold: each 100 shards need one more worker process',
        )
      }
    }
  }

  function run(work: () => Promise<void>): Promise<void> {
    busy += 1
    working = working
      .then(work)
      .catch((error) =>
        logger.debug({ err: error }, 'beats could not be assigned to shards; the next assignment follows'),
      )
      .finally(() => {
        busy -= 1
      })
    return working
  }

  const assignChanges = async () => {
    if (unsignalled.size > 0 || (await anyChange(system))) await assign(false)
  }
  const readChanges = () => {
    // A run that waits for its turn reads the changes at its turn.
    if (busy < 2) void run(assignChanges)
  }
  const frequently = setInterval(readChanges, lookEveryMs)
  const minutely = setInterval(() => void run(all), everythingEveryMs)

  return {
    everything: () => run(all),
    readChanges,
    async close() {
      clearInterval(frequently)
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

/** For a shard that was empty: its workflow may be about to end, and must look for beats again. */
function signalShard({ client }: Temporal, ref: ShardRef): Promise<unknown> {
  const signal = { signal: wakeSignal, signalArgs: [] }
  return client.withDeadline(Date.now() + DEADLINE_MS, () =>
    client.workflow.signalWithStart(shardWorkflow, { ...startOptions(ref), ...signal }),
  )
}

/** Starts the workflow of the shard; adds no event to a workflow that runs already. */
function startShard({ client }: Temporal, ref: ShardRef): Promise<unknown> {
  return client.withDeadline(Date.now() + DEADLINE_MS, () =>
    client.workflow.start(shardWorkflow, { ...startOptions(ref), workflowIdConflictPolicy: 'USE_EXISTING' }),
  )
}
