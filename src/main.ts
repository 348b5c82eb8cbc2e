import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { createApp } from './api/app.ts'
import { openPulse } from './api/pulse.ts'
import type { Config } from './config.ts'
import { openDirectory } from './domain/pages/directory.ts'
import { listenForChanges } from './orchestration/changes.ts'
import { openTemporal } from './orchestration/client.ts'
import { inspectProcess } from './orchestration/inspect.ts'
import { askProcess } from './orchestration/requests.ts'
import { startUncheckedMonitor } from './orchestration/unchecked-monitor.ts'
import { wakeupsFor } from './orchestration/wakeups.ts'
import { migrate } from './persistence/migrate.ts'
import { takesWrites } from './persistence/system/readiness.ts'
import { wakeupBacklog } from './persistence/system/wakeups.ts'
import { crashAt } from './runtime/crash.ts'
import { listen } from './runtime/listen.ts'
import { serveMetrics, watchBacklog } from './runtime/metrics.ts'
import { migrateOrServe } from './runtime/migrate-or-serve.ts'
import { type Running, requireSetting, runProcess } from './runtime/process.ts'
import { createFoundation } from './services.ts'
import { openSharedReads } from './web/answers/shared-reads.ts'
import { openSnapshotFiles } from './web/answers/snapshot-files.ts'
import { openFeedReaders } from './web/feed-readers.ts'
import { openPublicReads } from './web/public-reads.ts'
import { openChangeStreams } from './web/streams/streams.ts'
import { warmPages } from './web/warming/warm-pages.ts'

/** The API process. */
async function start(config: Config, logger: Logger): Promise<Running> {
  const DATABASE_URL = requireSetting(config, 'DATABASE_URL')
  const ENCRYPTION_KEYS = requireSetting(config, 'ENCRYPTION_KEYS')
  const temporal = openTemporal(requireSetting(config, 'TEMPORAL_ADDRESS'), config.TEMPORAL_NAMESPACE)
  const files = config.SNAPSHOT_DIR ? openSnapshotFiles({ dir: config.SNAPSHOT_DIR, logger }) : undefined
  const canServe = files?.pages !== undefined
  const migration = await migrateOrServe({ migrate: () => migrate(DATABASE_URL), canServe, logger })
  const reads = openPublicReads(logger, files, (wanted, make) => share(wanted, make))
  const changes = listenForChanges({
    url: DATABASE_URL,
    logger,
    onChange({ pageIds, isOwn }) {
      // The readers of this process know its own changes already.
      if (isOwn && pageIds) return
      if (pageIds) for (const pageId of pageIds) reads.changedElsewhere(pageId)
      else reads.allChanged()
    },
  })
  const foundation = await createFoundation({
    config: { ...config, DATABASE_URL, ENCRYPTION_KEYS },
    logger,
    name: 'upbeat-api',
    wakeups: wakeupsFor(temporal),
    ...(config.TEST_CRASH_AT ? { reached: crashAt(config.TEST_CRASH_AT) } : {}),
    directoryChanged: () => directory.forget(),
    pageChanged: (pageId) => {
      reads.changed(pageId)
      changes.announce(pageId)
    },
  })
  const { services, metrics } = foundation
  const directory = openDirectory(services.system, config.BASE_DOMAIN, files)
  const { system, clock } = services
  const pulse = openPulse({ system, logger, clock })
  const share = openSharedReads({ ...services, hasOthers: pulse.hasOthers })
  const feedReaders = openFeedReaders({ ...services, logger })
  const streams = openChangeStreams({
    logger,
    limits: { perAddress: config.STREAMS_PER_ADDRESS, inAll: config.STREAMS_MAX },
    watch: reads.watch,
  })
  const app = createApp({
    services,
    directory,
    reads,
    streams,
    metrics,
    rateLimits: config.RATE_LIMITS,
    trustProxy: config.TRUST_PROXY,
    ingestMaxBytes: config.INGEST_MAX_BYTES,
    patience: { checkMs: 5000, turnMs: 25_000, planMs: 10_000 },
    ask: (process, requestId) => askProcess({ app: services.app, temporal }, process, requestId),
    inspect: (workflowId) => inspectProcess(temporal, workflowId),
    health: {
      database: () => takesWrites(system, () => pulse.confirm(clock())),
      temporal: () => temporal.reachable(),
    },
    pulse,
    feedReaders,
  })
  const handler = app.callback()
  const server = await listen(handler, { port: config.PORT, host: config.HOST })
  pulse.start()
  feedReaders.start()
  const warming = files && warmPages({ services, handler, watch: reads.watch })
  const readBacklog = watchBacklog(metrics, () => wakeupBacklog(services.system))
  const where = { host: config.METRICS_HOST, port: config.METRICS_PORT }
  const metricsServer = await serveMetrics(metrics, where, () => {
    metrics.streams.set(streams.count)
    return readBacklog()
  })
  const monitor = startUncheckedMonitor({ services, logger })
  return {
    ready: { port: server.port, metrics_port: (metricsServer.address() as AddressInfo).port },
    async stop() {
      migration.stop()
      await warming?.close()
      await streams.close()
      await server.drain()
      metricsServer.close()
      await monitor.close()
      await pulse.close()
      await feedReaders.close()
      await foundation.wakeups.close()
      await changes.close()
      await files?.close()
      await foundation.close()
      await temporal.close()
    },
  }
}

// Otherwise the module is loaded only to be compiled.
if (import.meta.main) await runProcess('api', start)
