import type { Logger } from 'pino'
import { canPing } from '../activities/checks/ping.ts'
import type { Config } from './config.ts'
import { openKeyring } from './domain/kernel/keyring.ts'
import type { Bell, Services } from './domain/kernel/services.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { APP_ROLE, SYSTEM_ROLE } from './persistence/entities/columns.ts'
import { type Orm, openOrm } from './persistence/orm.ts'

export interface Foundation<B extends Bell = Bell> {
  services: Services
  bell: B
  metrics: Metrics
  close(): Promise<void>
}

interface Options<B extends Bell> {
  config: Pick<Config, 'DATABASE_POOL' | 'BASE_URL' | 'BASE_DOMAIN' | 'BEAT_TARGETS' | 'REGIONS' | 'TEST_MINUTE_MS'> & {
    RESULT_DAYS?: number
    AUDIT_DAYS?: number | undefined
    DATABASE_URL: string
    ENCRYPTION_KEYS: string
  }
  logger: Logger
  name: string
  bell: (system: Orm, metrics: Metrics) => B
  pageChanged: (pageId: number) => void
  clock?: () => Date
  reached?: Services['reached']
  checkOutputs?: boolean
}

/** What the API and the worker have in common: two pools, behind and above the wall, and the services made of them. */
export async function createFoundation<B extends Bell>(options: Options<B>): Promise<Foundation<B>> {
  const { config, logger, name } = options
  const clock = options.clock ?? (() => new Date())
  const pool = { url: config.DATABASE_URL, name }
  const app = await openOrm({ ...pool, role: APP_ROLE, poolMax: config.DATABASE_POOL })
  const system = await openOrm({
    ...pool,
    role: SYSTEM_ROLE,
    poolMax: Math.max(2, Math.ceil(config.DATABASE_POOL / 3)),
  })
  const metrics = createMetrics()
  const bell = options.bell(system, metrics)
  const services: Services = {
    app,
    system,
    bell,
    logger,
    clock,
    pageChanged: options.pageChanged,
    observeOperation: (operation, outcome, seconds) => metrics.operations.labels(operation, outcome).observe(seconds),
    observeWakeup: (seconds) => metrics.wakeupLag.observe(seconds),
    keyring: openKeyring(config.ENCRYPTION_KEYS),
    beatTargets: config.BEAT_TARGETS,
    regions: config.REGIONS,
    canPing: () => canPing(),
    keep: { resultDays: config.RESULT_DAYS ?? 7, auditDays: config.AUDIT_DAYS },
    baseUrl: config.BASE_URL,
    baseDomain: config.BASE_DOMAIN,
    minuteMs: config.TEST_MINUTE_MS,
    reached: options.reached ?? (() => {}),
    checkOutputs: options.checkOutputs ?? false,
  }
  return {
    services,
    bell,
    metrics,
    async close() {
      await app.close(true)
      await system.close(true)
    },
  }
}
