import type { Orm } from '../persistence/orm.ts'
import { isAnswered } from '../persistence/process-reads.ts'
import { behindWall } from '../persistence/wall.ts'
import type { Temporal } from './client.ts'
import { ringDoorbell, type Target } from './signals.ts'

/**
 * For callers who wait. The question and a wake-up are rows already; this only rings, and then looks at the row: an
 * update alone is lost when the server restarts.
 */
export async function askProcess(
  services: { app: Orm; temporal: Temporal },
  target: Target,
  requestId: number,
): Promise<boolean> {
  await ringDoorbell(services.temporal, target)
  return behindWall(services.app, target.pageId, (tx) => isAnswered(tx, requestId))
}
