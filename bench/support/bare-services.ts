import { makeKey } from '../../src/domain/kernel/keyring.ts'
import type { Services } from '../../src/domain/kernel/services.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { createFoundation } from '../../src/services.ts'

/** The services of a bare loop: its own connections to the database, and no process that it could wake. */
export async function bareServices(name: string): Promise<Services> {
  const { services } = await createFoundation({
    config: {
      DATABASE_URL: process.env.DATABASE_URL!,
      DATABASE_POOL: Number(process.env.DATABASE_POOL),
      BASE_URL: 'http://localhost/',
      BASE_DOMAIN: undefined,
      ENCRYPTION_KEYS: makeKey(),
      BEAT_TARGETS: 'any',
      REGIONS: ['local'],
      TEST_MINUTE_MS: 60_000,
    },
    logger: createLogger('warn', name),
    name: `upbeat-${name}`,
    wakeups: () => ({ wakeProcesses: () => {} }),
    pageChanged: () => {},
  })
  return services
}
