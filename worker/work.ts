import { setTimeout as sleep } from 'node:timers/promises'
import type { NativeConnection, Worker } from '@temporalio/worker'
import { openDeliveries } from '../activities/deliveries/open.ts'
import { type Leases, openLeases } from '../activities/lease/leases.ts'
import type { Services } from '../src/domain/kernel/services.ts'
import type { Metrics } from '../src/runtime/metrics.ts'
import { createWorkers } from './workers.ts'

export interface WorkOptions {
  services: Services
  metrics: Metrics
  codePath: string
  namespace: string
  connect: () => Promise<NativeConnection>
  /** Runs before workers are created: ensures the namespace, and wakes all processes if the Temporal database is new. */
  prepare: () => Promise<void>
}

const RETRY_MS = 1000

/** Keeps workers running. Workers end if Temporal has lost its data, for example; then new workers are created. */
export function keepWorking(options: WorkOptions): { started: Promise<void>; stop(): Promise<void> } {
  const { services, metrics } = options
  const start = Promise.withResolvers<void>()
  // Checks continue while Temporal is away: a process holds its shards until another process claims them.
  const leases: Leases = openLeases({ services, metrics })
  const deliveries = openDeliveries(services)
  let stopping = false
  let workers: Worker[] = []

  async function once(): Promise<void> {
    const connection = await options.connect()
    try {
      await options.prepare()
      workers = await createWorkers(options, { leases, deliveries }, connection)
      const run = runAll(workers)
      if (stopping) shutDown(workers)
      start.resolve()
      await run
    } finally {
      workers = []
      await connection.close().catch(() => {})
    }
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      try {
        await once()
      } catch (error) {
        if (stopping) break
        services.logger.warn(
          { err: error },
          'the workers ended, as Temporal is away or has lost the namespace; new workers are created',
        )
      }
      if (!stopping) await sleep(RETRY_MS)
    }
  }

  const done = loop()
  return {
    started: start.promise,
    async stop() {
      stopping = true
      shutDown(workers)
      await leases.close()
      await deliveries.close()
      await done
    },
  }
}

/** Runs all workers; when one worker ends, the others are shut down. */
async function runAll(workers: Worker[]): Promise<void> {
  const lives = workers.map((worker) => worker.run().finally(() => shutDown(workers)))
  for (const life of await Promise.allSettled(lives)) if (life.status === 'rejected') throw life.reason
}

function shutDown(workers: Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
}
