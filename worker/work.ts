import { setTimeout as sleep } from 'node:timers/promises'
import { type NativeConnection, Worker } from '@temporalio/worker'
import { createActivities } from '../activities/index.ts'
import type { Services } from '../src/domain/kernel/services.ts'
import type { Metrics } from '../src/metrics.ts'
import { coreQueue } from '../workflows/contract.ts'
import { measureActivities } from './measure.ts'

interface Options {
  services: Services
  metrics: Metrics
  codePath: string
  namespace: string
  connect: () => Promise<NativeConnection>
  /** Run before each worker is made: the namespace must be there, and a Temporal that is new to us is greeted. */
  prepare: () => Promise<void>
}

const RETRY_MS = 1000

/** Keeps a worker running. It ends when Temporal has lost its data, for instance; then the next one is made. */
export function keepWorking(options: Options): { started: Promise<void>; stop(): Promise<void> } {
  const { logger } = options.services
  const start = Promise.withResolvers<void>()
  let stopping = false
  let worker: Worker | undefined

  async function once(): Promise<void> {
    const connection = await options.connect()
    try {
      await options.prepare()
      worker = await createWorker(options, connection)
      const run = worker.run()
      if (stopping) worker.shutdown()
      start.resolve()
      await run
    } finally {
      worker = undefined
      await connection.close().catch(() => {})
    }
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      try {
        await once()
      } catch (error) {
        if (stopping) break
        logger.warn({ err: error }, 'Temporal is away or has forgotten us; trying again')
      }
      if (!stopping) await sleep(RETRY_MS)
    }
  }

  const done = loop()
  return {
    started: start.promise,
    async stop() {
      stopping = true
      if (worker?.getState() === 'RUNNING') worker.shutdown()
      await done
    },
  }
}

function createWorker(options: Omit<Options, 'connect' | 'prepare'>, connection: NativeConnection): Promise<Worker> {
  return Worker.create({
    connection,
    namespace: options.namespace,
    taskQueue: coreQueue,
    workflowBundle: { codePath: options.codePath },
    activities: measureActivities(createActivities(options.services), options.metrics),
    // A sleeping workflow needs no cache; one that is cached elsewhere is given up quickly after a crash.
    stickyQueueScheduleToStartTimeout: '1s',
    maxCachedWorkflows: 200,
    maxConcurrentWorkflowTaskExecutions: 20,
    maxConcurrentLocalActivityExecutions: 20,
    shutdownGraceTime: '5s',
    shutdownForceTime: '8s',
  })
}
