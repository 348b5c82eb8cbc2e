import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessOfPage } from '../domain/kernel/processes.ts'
import type { Orm } from '../persistence/orm.ts'
import { isAnswered } from '../persistence/process-reads.ts'
import { inPageTransaction } from '../persistence/transactions.ts'
import type { Temporal } from './client.ts'
import { requestStep } from './signals.ts'

const PATIENCE_MS = 2000
const PAUSE_MS = 100

/**
 * Waits until a process has answered a request. The request and its wake-up are stored; this function sends an update to the
 * workflow and then reads the row, because an update is lost if the server restarts. Repeats the update if the workflow
 * ended without reading the request.
 */
export async function askProcess(
  services: { app: Orm; temporal: Temporal },
  process: ProcessOfPage,
  requestId: number,
): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    await requestStep(services.temporal, process, deadline)
    if (await inPageTransaction(services.app, process.pageId, (tx) => isAnswered(tx, requestId))) return true
    if (Date.now() + PAUSE_MS > deadline) return false
    await sleep(PAUSE_MS)
  }
}
