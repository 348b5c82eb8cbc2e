import { Context } from '@temporalio/activity'
import { type NativeConnection, Worker } from '@temporalio/worker'
import type { WorkflowCreateOptions, WorkflowCreator } from '@temporalio/worker/lib/workflow/interface.js'
import { createDeliver } from '../activities/deliveries/activity.ts'
import type { OpenDeliveries } from '../activities/deliveries/open.ts'
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
/** How many requested checks of a region a process may run at once, in addition to its shards. */
const REQUESTED_SLOTS = 16

interface Held {
  leases: Leases
  deliveries: OpenDeliveries
}

/** One worker for each queue of workflows, and one for the checks of each region that this process serves. */
export async function createWorkers(
  options: Options,
  { leases, deliveries }: Held,
  connection: NativeConnection,
): Promise<Worker[]> {
  const workers: Worker[] = []
  const LoopWorker = workersOnOneThread()
  try {
    for (const queue of workflowQueues) {
      const activities = { ...createActivities(options.services), ...createDeliver(deliveries) }
      workers.push(await createLoops(LoopWorker, { ...options, activities }, queue, connection))
    }
    for (const region of options.services.regions) {
      workers.push(await createChecks(options, { region, leases, connection }))
    }
    return workers
  } catch (error) {
    // A worker that never ran keeps the connection open, and only a worker that runs can be shut down.
    for (const worker of workers) {
      const run = worker.run()
      worker.shutdown()
      await run
    }
    throw error
  }
}

/** The workflows of all queues run on one thread, because each thread takes 25 MB. Each queue has its own limit of tasks. */
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
  { metrics, codePath, namespace, activities }: Options & { activities: object },
  taskQueue: string,
  connection: NativeConnection,
) {
  return LoopWorker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: { codePath },
    activities: measureActivities(activities, metrics),
    // A sleeping workflow needs no cache. After a crash, a task for the cache of the dead worker is reassigned quickly.
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
  const requested = createRunCheck(services, () => Context.current().cancellationSignal)
  return Worker.create({
    connection,
    namespace,
    taskQueue: checksQueue(region),
    activities: { ...measureActivities(requested, metrics), ...createLease(leases) },
    maxConcurrentActivityTaskExecutions: SHARD_SLOTS + REQUESTED_SLOTS,
    // Temporal assigns tasks to the open polls of a process that hangs: with one poll, at most one lease is delayed.
    activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 1 },
    // The default is four fifths of the heartbeat timeout, after which the next heartbeat may come too late.
    maxHeartbeatThrottleInterval: '4s',
    defaultHeartbeatThrottleInterval: '4s',
    shutdownGraceTime: 0,
    shutdownForceTime: '5s',
  })
}
