import { setTimeout as sleep } from 'node:timers/promises'
import type { Orm } from '../persistence/orm.ts'
import { isAnswered } from '../persistence/process-reads.ts'
import { behindWall } from '../persistence/wall.ts'
import type { Temporal } from './client.ts'
import { ringDoorbell, type Target } from './signals.ts'

const PATIENCE_MS = 2000
const PAUSE_MS = 100

/**
 * For callers who wait. The question and a wake-up are rows already; this only rings, and then looks at the row: an
 * update alone is lost when the server restarts. One that met a process on its way out is rung again.
 */
export async function askProcess(
  services: { app: Orm; temporal: Temporal },
  target: Target,
  requestId: number,
): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    await ringDoorbell(services.temporal, target, deadline)
    if (await behindWall(services.app, target.pageId, (tx) => isAnswered(tx, requestId))) return true
    if (Date.now() + PAUSE_MS > deadline) return false
    await sleep(PAUSE_MS)
  }
}
