import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker'
import { readConfig } from '../../src/config.ts'
import type { Services, Wakeups } from '../../src/domain/kernel/services.ts'
import { openTemporal, type Temporal } from '../../src/orchestration/client.ts'
import { startImmediateSteps, stepTaker } from '../../src/orchestration/immediate-steps.ts'
import { inspectProcess } from '../../src/orchestration/inspect.ts'
import { wakeAllAtNewTemporal } from '../../src/orchestration/overdue-sweep.ts'
import { type Relay, startRelay } from '../../src/orchestration/relay.ts'
import { askProcess } from '../../src/orchestration/requests.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { workflowBundle } from '../../worker/bundle.ts'
import { keepWorking } from '../../worker/work.ts'
import { testServers } from './servers.ts'
import { ownTemporal } from './temporal.ts'
import { openTestService, type TestService, type TestServiceOptions } from './test-service.ts'
import { noPings, startTimeSkipping, type TimeSkipping } from './time-skipping.ts'
import { until } from './wait.ts'

/** A test service with a relay, a real Temporal, and a worker that tests start and stop. */
export interface TestProcesses {
  service: TestService
  temporal: Temporal
  relay: Relay
  /** Resolves once a worker polls. */
  startWorker(): Promise<void>
  /** How often workers have tried to connect to Temporal. */
  connections(): number
  stopWorker(): Promise<void>
  close(): Promise<void>
}

interface Options extends TestServiceOptions {
  address?: string
  /** A Temporal that ends with the test service. */
  server?: { address: string; close(): Promise<void> }
  channelArgs?: object
  /** Each test file has one of its own, as it has a database of its own. */
  namespace?: string
  /** As worker/main.ts does: registers the namespace, and wakes what a new Temporal does not know. */
  greets?: boolean
  /** Whether steps are taken as soon as their process is woken; else the relay brings all of them to the worker. */
  immediate?: boolean
}

const logger = createLogger('silent', 'test')

/** Temporal's core logs only errors, and handles no signals. */
export function quietRuntime(): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('ERROR', () => {}),
  })
}

export const codePath = () => workflowBundle(readConfig(process.env).CACHE_DIR)

export async function openTestProcesses(options: Options = {}): Promise<TestProcesses> {
  const { server, greets = true, immediate = true, channelArgs, ...serviceOptions } = options
  const address = options.address ?? server?.address ?? testServers().temporalAddress
  const namespace = options.namespace ?? `test-${crypto.randomUUID()}`
  const temporal = openTemporal(address, namespace, channelArgs)
  let wakeups: Wakeups | undefined
  const service: TestService = await openTestService({
    // A machine of any speed has checked by then.
    checkPatienceMs: () => 60_000,
    ...serviceOptions,
    wakeups: { wakeProcesses: (targets) => wakeups?.wakeProcesses(targets) },
    deps: {
      ask: (target, requestId) => askProcess({ app: service.services.app, temporal }, target, requestId),
      inspect: (workflowId) => inspectProcess(temporal, workflowId),
      ...serviceOptions.deps,
    },
  })
  const { services } = service
  const relay = startRelay({ system: services.system, temporal, logger, clock: goesOn(service) })
  const steps = startImmediateSteps({ services, takeStep: stepTaker(services), signal: relay })
  wakeups = immediate ? steps : relay
  const work = workOf(services, address, namespace, () =>
    greets
      ? wakeAllAtNewTemporal({ system: services.system, temporal, logger, clock: services.clock })
      : Promise.resolve(),
  )
  return {
    service,
    temporal,
    relay,
    ...work,
    async close() {
      await work.stopWorker()
      await steps.close()
      await relay.close()
      await temporal.close()
      await service.close()
      await server?.close()
      await Runtime.instance().shutdown()
    },
  }
}

/** A clock that tests set may stand still, and whatever is to be sent again would wait for it for ever. */
function goesOn(service: TestService): () => Date {
  let [seen, since] = [service.now.getTime(), Date.now()]
  return () => {
    const now = service.now.getTime()
    if (now !== seen) [seen, since] = [now, Date.now()]
    return new Date(seen + Date.now() - since)
  }
}

function workOf(services: Services, address: string, namespace: string, prepare: () => Promise<void>) {
  let work: ReturnType<typeof keepWorking> | undefined
  let connections = 0
  const connect = () => {
    connections += 1
    return NativeConnection.connect({ address })
  }
  return {
    async startWorker() {
      const options = {
        services,
        metrics: createMetrics(),
        codePath: await codePath(),
        namespace,
        prepare,
      }
      work = keepWorking({ ...options, connect })
      await work.started
    },
    connections: () => connections,
    async stopWorker() {
      await work?.stop()
      work = undefined
    },
  }
}

/** Waits until every process has looked at what happened and at what was due. */
export async function settled({ services, processTime = async () => services.clock() }: TestService): Promise<void> {
  await until(
    async () =>
      services.system.em.fork().execute<object[]>(
        `select workflow_id, reason from wakeup union all
            select workflow_id, waiting_for from process where state = 'waiting' and until <= ?`,
        [await processTime()],
      ),
    (unsettled) => unsettled.length === 0,
  )
}

/**
 * Waits until no task of a workflow is open: a workflow starts its timer at the end of its task, and time must not pass before.
 * Reads histories, because a query could keep the time-skipping server from skipping.
 */
async function timersSet({ service: { services }, temporal }: TestProcesses): Promise<void> {
  const rows = await services.system.em
    .fork()
    .execute<{ workflow_id: string }[]>(
      `select workflow_id from process where state = 'waiting' and timer_at is not null`,
    )
  for (const { workflow_id } of rows) {
    const workflow = temporal.client.workflow.getHandle(workflow_id)
    await until(
      async () => ((await workflow.fetchHistory()).events ?? []).map(({ eventType }) => eventType),
      (types) => types.lastIndexOf(TASK_COMPLETED) > types.lastIndexOf(TASK_SCHEDULED),
    )
  }
}

/** As Temporal numbers the types of events. */
const TASK_SCHEDULED = 5
const TASK_COMPLETED = 7

/**
 * A test service with a Temporal that suggests a new run after few events instead of thousands, and whose timers are
 * exact: by default a timer may be up to a second late.
 */
export async function openShortRunProcesses(options: Options & { events?: number }): Promise<TestProcesses> {
  const { events = 4096, ...others } = options
  const server = await ownTemporal({
    'limit.historyCount.suggestContinueAsNew': String(events),
    'history.timerProcessorMaxTimeShift': '"1ms"',
  })
  return openTestProcesses({ ...others, server })
}

/** A test service with the clock of a Temporal that skips the time in which nothing happens. */
export interface SkippingProcesses extends TestProcesses {
  /** Lets this duration pass while every process takes its steps; returns the new time. */
  pass(duration: Duration): Promise<Date>
  /** Lets time pass without waiting for processes. */
  skip(duration: Duration): Promise<Date>
}

type Duration = Parameters<TimeSkipping['skip']>[0]

export async function openSkippingProcesses(): Promise<SkippingProcesses> {
  const server = await startTimeSkipping()
  const processes = await openTestProcesses({
    server,
    namespace: 'default',
    greets: false,
    frozenAt: await server.now(),
    channelArgs: noPings,
  })
  processes.service.processTime = server.now
  await processes.startWorker()
  const skip: SkippingProcesses['skip'] = async (duration) => {
    await server.skip(duration)
    processes.service.now = await server.now()
    return processes.service.now
  }
  return {
    ...processes,
    skip,
    async pass(duration) {
      await settled(processes.service)
      await timersSet(processes)
      const moment = await skip(duration)
      await settled(processes.service)
      return moment
    },
  }
}
