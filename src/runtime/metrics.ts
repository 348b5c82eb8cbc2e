import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'upbeat_http_request_seconds',
      help: 'Requests by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    operations: new Histogram({
      name: 'upbeat_operation_seconds',
      help: 'Operations by name and outcome',
      labelNames: ['operation', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    activities: new Histogram({
      name: 'upbeat_activity_seconds',
      help: 'Activities by name and outcome',
      labelNames: ['activity', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    wakeupLag: new Histogram({
      name: 'upbeat_wakeup_lag_seconds',
      help: 'From the change that wrote a wake-up to the end of the step that read it',
      buckets: SECONDS,
      registers,
    }),
    streams: new Gauge({ name: 'upbeat_streams', help: 'Open streams of changes of pages', registers }),
    wakeupsWaiting: new Gauge({
      name: 'upbeat_wakeups_waiting',
      help: 'Wake-ups that no step has read yet',
      registers,
    }),
    oldestWakeup: new Gauge({
      name: 'upbeat_oldest_wakeup_seconds',
      help: 'Age of the oldest unread wake-up: alarm when it passes a minute',
      registers,
    }),
    relayFailures: new Counter({
      name: 'upbeat_relay_failures_total',
      help: 'Wake-ups that could not be sent to Temporal at the first try',
      registers,
    }),
    ...checkMetrics(registers),
  }
}

function checkMetrics(registers: Registry[]) {
  return {
    checks: new Counter({
      name: 'upbeat_checks_total',
      help: 'Slots of beats by result; passed: the previous check was still running',
      labelNames: ['region', 'result'],
      registers,
    }),
    slotLateness: new Histogram({
      name: 'upbeat_check_lateness_seconds',
      help: 'From the due moment of a slot to the start of its check',
      labelNames: ['region'],
      buckets: SECONDS,
      registers,
    }),
    resultsWaiting: new Gauge({
      name: 'upbeat_results_waiting',
      help: 'Results of checks that wait for the database',
      registers,
    }),
    resultsDropped: new Counter({
      name: 'upbeat_results_dropped_total',
      help: 'Results of checks that were dropped: alarm on any',
      registers,
    }),
    shardsHeld: new Gauge({
      name: 'upbeat_check_shards_held',
      help: 'Shards of beats that this process checks',
      labelNames: ['region'],
      registers,
    }),
    shardsWanted: new Gauge({
      name: 'upbeat_check_shards',
      help: 'Existing shards of beats; a worker process can hold 100 shards of its regions',
      labelNames: ['region'],
      registers,
    }),
  }
}

/** Metrics have a separate port, on loopback by default, so that they are not public. */
export function serveMetrics(
  metrics: Metrics,
  where: { host: string; port: number },
  before: () => Promise<void>,
): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    await before()
    response.writeHead(200, { 'Content-Type': metrics.registry.contentType })
    response.end(await metrics.registry.metrics())
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where.port, where.host, () => resolve(server))
  })
}

/** Reads the backlog at each read of the metrics; an old number would hide a database that is away. */
export function watchBacklog(metrics: Metrics, read: () => Promise<{ waiting: number; oldest: Date | null }>) {
  return async () => {
    const backlog = await read().catch(() => undefined)
    const age = backlog?.oldest ? (Date.now() - backlog.oldest.getTime()) / 1000 : 0
    metrics.wakeupsWaiting.set(backlog ? backlog.waiting : Number.NaN)
    metrics.oldestWakeup.set(backlog ? age : Number.NaN)
  }
}
