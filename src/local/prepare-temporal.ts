import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { openTemporal } from '../orchestration/client.ts'
import { StartError } from './embedded/errors.ts'

const PATIENCE_MS = 8000

/** Refuses an address without a Temporal at the start; later the API and the worker wait for a Temporal that is away. */
export async function requireTemporal({ TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE }: Config): Promise<void> {
  const temporal = openTemporal(TEMPORAL_ADDRESS!, TEMPORAL_NAMESPACE)
  try {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(250)) {
      if (await temporal.reachable()) return
      if (Date.now() > deadline) {
        throw new StartError(`Temporal cannot be reached at ${TEMPORAL_ADDRESS} (TEMPORAL_ADDRESS).`)
      }
    }
  } finally {
    await temporal.close()
  }
}
