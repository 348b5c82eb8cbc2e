import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection, isGrpcServiceError, type WorkflowService } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { coreQueue } from '../../workflows/contract.ts'

export interface Temporal {
  client: Client
  namespace: string
  /** Whether the server answers within a second, and has the namespace of the service. */
  reachable(): Promise<boolean>
  close(): Promise<void>
}

const ALREADY_EXISTS = 6
const NOT_FOUND = 5
const NAMESPACE_PATIENCE_MS = 30_000
const NAMESPACE_PAUSE_MS = 200
/** How long Temporal keeps the history of a workflow that has ended; `view=full` reads that history. */
const RETENTION = '30 days'

/**
 * By default a refused channel waits a second before it reconnects, then up to two minutes, and all channels to one address
 * share that wait: after an outage of 30 s, Temporal was found again only after 26 s.
 */
const channelArgs = {
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 500,
}

/**
 * A connection that works before the server starts and after the server restarts. A call to a server that is away fails at
 * once: each caller has its own retry, and the retries of the client would exceed deadlines.
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

/** Registers the namespace with `RETENTION`, and returns its id: another id means another Temporal database. */
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

/** Waits until the server has read the namespace, which takes some seconds: it refuses the polls of workers before. */
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
