import { Client, Connection, isGrpcServiceError } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'

export interface Temporal {
  client: Client
  namespace: string
  /** Whether the server answers within a second. */
  reachable(): Promise<boolean>
  close(): Promise<void>
}

const ALREADY_EXISTS = 6
/** How long Temporal keeps the history of what has ended; `view=full` reads it while it does. */
const RETENTION = '30 days'

/** A connection that does not need the server to be there yet, nor to stay. */
export function openTemporal(address: string, namespace: string): Temporal {
  const connection = Connection.lazy({ address })
  const client = new Client({ connection, namespace })
  return {
    client,
    namespace,
    reachable: () =>
      connection
        .withDeadline(Date.now() + 1000, () => connection.workflowService.getSystemInfo({}))
        .then(
          () => true,
          () => false,
        ),
    close: () => connection.close(),
  }
}

/** Registers the namespace with our retention, and tells which one it is: another id means another Temporal database. */
export async function ensureNamespace({ client, namespace }: Temporal): Promise<string> {
  const service = client.connection.workflowService
  try {
    await service.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(RETENTION),
    })
  } catch (error) {
    if (!isGrpcServiceError(error) || error.code !== ALREADY_EXISTS) throw error
  }
  const { namespaceInfo } = await service.describeNamespace({ namespace })
  return namespaceInfo?.id ?? ''
}
