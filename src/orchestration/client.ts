import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection, isGrpcServiceError, type WorkflowService } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { coreQueue } from '../../workflows/contract.ts'

export interface Temporal {
  client: Client
  namespace: string
  /** Whether the server answers within a second, and knows our namespace. */
  reachable(): Promise<boolean>
  close(): Promise<void>
}

const ALREADY_EXISTS = 6
const NOT_FOUND = 5
const NAMESPACE_PATIENCE_MS = 30_000
const NAMESPACE_PAUSE_MS = 200
/** How long Temporal keeps the history of what has ended; `view=full` reads it while it does. */
const RETENTION = '30 days'

/**
 * As they come, a channel that was refused waits a second before it tries again, then ever longer, up to two minutes,
 * and all channels to one address share that wait: a Temporal that was away for 30 s was found again after 26.
 */
const channelArgs = {
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 500,
}

/**
 * A connection that does not need the server to be there yet, nor to stay. A call fails at once when it is not: whoever
 * calls has a way of its own to try again, and the client's retries outlast deadlines.
 */
export function openTemporal(address: string, namespace: string, moreArgs: object = {}): Temporal {
  const connection = Connection.lazy({ address, channelArgs: { ...channelArgs, ...moreArgs }, interceptors: [] })
  const client = new Client({ connection, namespace })
  return {
    client,
    namespace,
    reachable: () =>
      connection
        .withDeadline(Date.now() + 1000, () => connection.workflowService.describeNamespace({ namespace }))
        .then(
          () => true,
          () => false,
        ),
    close: () => connection.close(),
  }
}

/** Registers the namespace with our retention, and tells which one it is: another id means another Temporal database. */
export async function ensureNamespace({ client, namespace }: Temporal): Promise<string> {
  const service = client.workflowService
  try {
    await service.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(RETENTION),
    })
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== ALREADY_EXISTS) throw error
  }
  const { namespaceInfo } = await service.describeNamespace({ namespace })
  await untilKnown(service, namespace)
  return namespaceInfo?.id ?? ''
}

/** A server reads its namespaces every few seconds: until it has, the polls of a worker would be refused. */
async function untilKnown(service: WorkflowService, namespace: string): Promise<void> {
  for (const deadline = Date.now() + NAMESPACE_PATIENCE_MS; ; await sleep(NAMESPACE_PAUSE_MS)) {
    try {
      await service.describeTaskQueue({ namespace, taskQueue: { name: coreQueue } })
      return
    } catch (error) {
      if (!isGrpcServiceError(error) || error.code !== NOT_FOUND || Date.now() > deadline) throw error
    }
  }
}
