import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { openChatModel } from './domain/agent/model/chat-model.ts'
import { openEvaluator } from './domain/evaluation/evaluator.ts'
import { openKeyring } from './domain/kernel/keyring.ts'
import type { Services, Wakeups } from './domain/kernel/services.ts'
import { openPasswords } from './domain/pages/access/passwords.ts'
import { openOperations } from './operations.ts'
import { openOwnPorts } from './outbound/own-ports.ts'
import { APP_ROLE, SYSTEM_ROLE } from './persistence/entities/columns.ts'
import { openOrm } from './persistence/orm.ts'
import { createMetrics, type Metrics } from './runtime/metrics.ts'
import { hasProgram } from './runtime/programs.ts'

export interface Foundation<B extends Wakeups = Wakeups> {
  services: Services
  wakeups: B
  metrics: Metrics
  close(): Promise<void>
}

interface Options<B extends Wakeups> {
  config: Pick<Config, 'DATABASE_POOL' | 'BASE_URL' | 'BASE_DOMAIN' | 'BEAT_TARGETS' | 'REGIONS' | 'TEST_MINUTE_MS'> & {
    RESULT_DAYS?: number
    EVENT_DAYS?: number
    TURN_DAYS?: number
    NOTIFICATION_DAYS?: number
    NOTIFICATION_MAX_AGE_HOURS?: number
    AGENT_BASE_URL?: string | undefined
    AGENT_MODEL?: string | undefined
    AGENT_API_KEY?: string | undefined
    PLAN_TTL_HOURS?: number
    AUDIT_DAYS?: number | undefined
    DATABASE_URL: string
    ENCRYPTION_KEYS: string
    TEMPORAL_ADDRESS?: string | undefined
    OWN_ADDRESSES?: Config['OWN_ADDRESSES']
    DATA_DIR?: string
  }
  logger: Logger
  name: string
  /** Creates the wake-ups of the services. */
  wakeups: (services: Services, metrics: Metrics) => B
  pageChanged: (pageId: number) => void
  directoryChanged?: () => void
  clock?: () => Date
  reached?: Services['reached']
  checkOutputs?: boolean
  /** All operations are loaded only when they are needed, as by a worker. */
  loadsOperationsLater?: boolean
  /** The longest duration of a statement; by default short enough for a waiting client. */
  statementMs?: { app: number; system: number }
}

const REQUEST_MS = 10_000
const HOUR_MS = 60 * 60 * 1000

/** The services that API and worker share: two database pools, with and without page isolation, and services on top. */
export async function createFoundation<B extends Wakeups>(options: Options<B>): Promise<Foundation<B>> {
  const { config, logger, name, statementMs = { app: REQUEST_MS, system: REQUEST_MS } } = options
  const clock = options.clock ?? (() => new Date())
  const pool = { url: config.DATABASE_URL, name }
  const app = await openOrm({ ...pool, role: APP_ROLE, poolMax: config.DATABASE_POOL, statementMs: statementMs.app })
  const system = await openOrm({
    ...pool,
    role: SYSTEM_ROLE,
    statementMs: statementMs.system,
    poolMax: Math.max(2, Math.ceil(config.DATABASE_POOL / 3)),
  })
  const metrics = createMetrics()
  const background = new Set<Promise<unknown>>()
  const ownPorts = await openOwnPorts(config)
  const services: Omit<Services, 'wakeups'> & Partial<Pick<Services, 'wakeups'>> = {
    app,
    system,
    logger,
    clock,
    pageChanged: options.pageChanged,
    inBackground(work, failure) {
      const done = work.catch((err) => logger.debug({ err }, failure)).finally(() => background.delete(done))
      background.add(done)
    },
    observeOperation: (operation, outcome, seconds) => metrics.operations.labels(operation, outcome).observe(seconds),
    observeWakeup: (seconds) => metrics.wakeupLag.observe(seconds),
    keyring: openKeyring(config.ENCRYPTION_KEYS),
    passwords: openPasswords(),
    directoryChanged: options.directoryChanged ?? (() => {}),
    beatTargets: config.BEAT_TARGETS,
    evaluator: openEvaluator(),
    ownPorts,
    regions: config.REGIONS,
    hasProgram,
    keep: {
      resultDays: config.RESULT_DAYS ?? 7,
      eventDays: config.EVENT_DAYS ?? 30,
      turnDays: config.TURN_DAYS ?? 90,
      notificationDays: config.NOTIFICATION_DAYS ?? 90,
      auditDays: config.AUDIT_DAYS,
    },
    operations: openOperations(),
    model: openChatModel(config, ownPorts),
    maxAgeMs: (config.NOTIFICATION_MAX_AGE_HOURS ?? 24) * HOUR_MS,
    planTtlMs: (config.PLAN_TTL_HOURS ?? 24) * HOUR_MS,
    baseUrl: config.BASE_URL,
    baseDomain: config.BASE_DOMAIN,
    minuteMs: config.TEST_MINUTE_MS,
    reached: options.reached ?? (() => {}),
    checkOutputs: options.checkOutputs ?? false,
  }
  if (!options.loadsOperationsLater) await services.operations.load()
  const wakeups = options.wakeups(services as Services, metrics)
  return {
    services: Object.assign(services, { wakeups }),
    wakeups,
    metrics,
    async close() {
      await Promise.all(background)
      await services.evaluator.close()
      await app.close(true)
      await system.close(true)
    },
  }
}
