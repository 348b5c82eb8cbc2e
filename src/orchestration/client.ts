import { Client, Connection, isGrpcServiceError } from '@temporalio/client'
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
  // Only a server that knows the namespace by heart answers this; until it does, a worker's polls would be refused.
  await service.describeTaskQueue({ namespace, taskQueue: { name: coreQueue } })
  return namespaceInfo?.id ?? ''
}
