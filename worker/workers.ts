import { Context } from '@temporalio/activity'
import { type NativeConnection, Worker } from '@temporalio/worker'
import type { WorkflowCreateOptions, WorkflowCreator } from '@temporalio/worker/lib/workflow/interface.js'
import { createActivities } from '../activities/index.ts'
import { createLease } from '../activities/lease/activity.ts'
import type { Leases } from '../activities/lease/leases.ts'
import { createRunCheck } from '../activities/run-check.ts'
import { checksQueue, workflowQueues } from '../workflows/contract.ts'
import { measureActivities } from './measure.ts'
import type { WorkOptions } from './work.ts'

type Options = Omit<WorkOptions, 'connect' | 'prepare'>

/** How many shards of a region a process may hold. */
export const SHARD_SLOTS = 100
/** Beside them, the checks that somebody asked for. */
const ASKED_SLOTS = 16

/** One worker for each queue of workflows, and one for the checks of each region that this process serves. */
export async function createWorkers(options: Options, leases: Leases, connection: NativeConnection): Promise<Worker[]> {
  const workers: Worker[] = []
  const LoopWorker = workersOnOneThread()
  try {
    for (const queue of workflowQueues) workers.push(await createLoops(LoopWorker, options, queue, connection))
    for (const region of options.services.regions) {
      workers.push(await createChecks(options, { region, leases, connection }))
    }
    return workers
  } catch (error) {
    // One that never ran cannot be ended otherwise, and holds the connection.
    for (const worker of workers) {
      const run = worker.run()
      worker.shutdown()
      await run
    }
    throw error
  }
}

/** The workflows of all queues run on one thread, as each thread takes 25 MB; every queue has its own share of tasks. */
function workersOnOneThread(): typeof Worker {
  let creator: Promise<WorkflowCreator> | undefined
  let users = 0
  return class extends Worker {
    protected static override async createWorkflowCreator(
      ...options: Parameters<typeof Worker.createWorkflowCreator>
    ): Promise<WorkflowCreator> {
      users += 1
      creator ??= Worker.createWorkflowCreator(...options)
      const shared = await creator
      return {
        createWorkflow: (workflow: WorkflowCreateOptions) => shared.createWorkflow(workflow),
        async destroy() {
          users -= 1
          if (users === 0) await shared.destroy()
        },
      }
    }
  }
}

function createLoops(
  LoopWorker: typeof Worker,
  { services, metrics, codePath, namespace }: Options,
  taskQueue: string,
  connection: NativeConnection,
) {
  return LoopWorker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: { codePath },
    activities: measureActivities(createActivities(services), metrics),
    // A sleeping workflow needs no cache; one that is cached elsewhere is given up quickly after a crash.
    stickyQueueScheduleToStartTimeout: '1s',
    maxCachedWorkflows: 200,
    maxConcurrentWorkflowTaskExecutions: 20,
    maxConcurrentLocalActivityExecutions: 20,
    shutdownGraceTime: '5s',
    shutdownForceTime: '8s',
  })
}

interface Checking {
  region: string
  leases: Leases
  connection: NativeConnection
}

function createChecks({ services, metrics, namespace }: Options, { region, leases, connection }: Checking) {
  const asked = createRunCheck(services, () => Context.current().cancellationSignal)
  return Worker.create({
    connection,
    namespace,
    taskQueue: checksQueue(region),
    activities: { ...measureActivities(asked, metrics), ...createLease(leases) },
    maxConcurrentActivityTaskExecutions: SHARD_SLOTS + ASKED_SLOTS,
    // What a process that hangs has asked for is given to it: the fewer questions, the fewer leases wait for its end.
    activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 1 },
    // By default as much as four fifths of the heartbeat timeout, and the one after that may come too late.
    maxHeartbeatThrottleInterval: '4s',
    defaultHeartbeatThrottleInterval: '4s',
    shutdownGraceTime: 0,
    shutdownForceTime: '5s',
  })
}
