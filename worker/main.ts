import type { AddressInfo } from 'node:net'
import { NativeConnection, Runtime } from '@temporalio/worker'
import type { Logger } from 'pino'
import type { Config } from '../src/config.ts'
import { listenForChanges } from '../src/orchestration/changes.ts'
import { openTemporal } from '../src/orchestration/client.ts'
import { startSweep, wakeAllAtNewTemporal } from '../src/orchestration/overdue-sweep.ts'
import { keepSchedules } from '../src/orchestration/schedules.ts'
import { type Assigner, startAssigner } from '../src/orchestration/shards.ts'
import { wakeupsFor } from '../src/orchestration/wakeups.ts'
import { migrate } from '../src/persistence/migrate.ts'
import { wakeupBacklog } from '../src/persistence/system/wakeups.ts'
import { crashAt } from '../src/runtime/crash.ts'
import { serveMetrics, watchBacklog } from '../src/runtime/metrics.ts'
import { type Running, requireSetting, runProcess } from '../src/runtime/process.ts'
import { createFoundation } from '../src/services.ts'
import { workflowBundle } from './bundle.ts'
import { boundHeapGrowth } from './heap.ts'
import { temporalLogger } from './logger.ts'
import { watchOver } from './watchdog.ts'
import { keepWorking } from './work.ts'
import { SHARD_SLOTS } from './workers.ts'

/** The worker process: workflows and their steps, the sweep, and a relay. */
async function start(config: Config, logger: Logger): Promise<Running> {
  boundHeapGrowth()
  const DATABASE_URL = requireSetting(config, 'DATABASE_URL')
  const ENCRYPTION_KEYS = requireSetting(config, 'ENCRYPTION_KEYS')
  const TEMPORAL_ADDRESS = requireSetting(config, 'TEMPORAL_ADDRESS')
  const temporal = openTemporal(TEMPORAL_ADDRESS, config.TEMPORAL_NAMESPACE)
  // The service stops the workers itself: Temporal's signal handlers would end them earlier.
  Runtime.install({ shutdownSignals: [], logger: temporalLogger(logger), telemetryOptions: {} })
  const codePath = await workflowBundle(config.CACHE_DIR)
  await migrate(DATABASE_URL)
  let assigner: Assigner | undefined
  const changes = listenForChanges({ url: DATABASE_URL, logger, onChange: () => assigner?.readChanges() })
  const foundation = await createFoundation({
    config: { ...config, DATABASE_URL, ENCRYPTION_KEYS },
    logger,
    name: 'upbeat-worker',
    wakeups: wakeupsFor(temporal),
    pageChanged: changes.announce,
    loadsOperationsLater: true,
    // No client waits for a worker, and jobs for all pages may take long.
    statementMs: { app: 60_000, system: 600_000 },
    ...(config.TEST_CRASH_AT ? { reached: crashAt(config.TEST_CRASH_AT) } : {}),
  })
  const { services, metrics } = foundation
  const sweepOptions = {
    system: services.system,
    temporal,
    logger,
    clock: services.clock,
    ...(config.TEST_MINUTE_MS < 60_000 ? { everyMs: config.TEST_MINUTE_MS, patienceMs: config.TEST_MINUTE_MS } : {}),
  }
  const { system, clock } = services
  const assigning = startAssigner({ system, temporal, logger, clock, metrics, slots: SHARD_SLOTS })
  assigner = assigning
  const work = keepWorking({
    services,
    metrics,
    codePath,
    namespace: config.TEMPORAL_NAMESPACE,
    connect: () => NativeConnection.connect({ address: TEMPORAL_ADDRESS }),
    async prepare() {
      await wakeAllAtNewTemporal(sweepOptions)
      await keepSchedules(temporal)
      void assigning.everything()
    },
  })
  await work.started
  const sweep = startSweep(sweepOptions)
  await sweep.now()
  const metricsServer = await serveMetrics(
    metrics,
    { host: config.METRICS_HOST, port: config.METRICS_PORT },
    watchBacklog(metrics, () => wakeupBacklog(services.system)),
  )
  const watchdog = watchOver(logger, config.TEST_WATCHDOG_MS)
  return {
    ready: { metrics_port: (metricsServer.address() as AddressInfo).port },
    async stop() {
      watchdog.close()
      await assigning.close()
      await sweep.close()
      await work.stop()
      await foundation.wakeups.close()
      metricsServer.close()
      await changes.close()
      await foundation.close()
      await temporal.close()
    },
  }
}

// Otherwise the module is loaded only to be compiled.
if (import.meta.main) await runProcess('worker', start)
