import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { adopt, lastRecorded, logPath, logSize, logTail, type Recorded, startDetached } from './detached.ts'
import { makeDirectory } from './directories.ts'
import { StartError } from './errors.ts'
import { unhealthy } from './grpc-health.ts'
import { freePorts } from './ports.ts'
import { isAlive, processesWith, stopProcess } from './processes.ts'
import { temporalBinary } from './temporal-binary.ts'
import type { ToolOptions } from './tool-cache.ts'

export interface Temporal {
  address: string
  uiUrl: string
  /** Its other addresses: the HTTP, UI and metrics ports. */
  otherAddresses: string[]
  pid: number
  alive(): boolean
  stop(): Promise<void>
}

type Server = Recorded<{ httpPort: number; uiPort: number; metricsPort: number }>

interface TemporalOptions extends ToolOptions {
  dir: string
  /** Additional dynamic configuration; an adopted server keeps the configuration of its start. */
  settings?: Record<string, string>
}

const NAME = 'temporal'
/** How long a start may take: a slow machine is given a minute. */
const PATIENCE = 60_000

/** Adopts the Temporal development server of this directory if it runs and answers, else starts it. */
export async function startTemporal({
  dir: given,
  cacheDir,
  print,
  signal,
  settings = {},
}: TemporalOptions): Promise<Temporal> {
  makeDirectory(given, 0o700)
  const dir = realpathSync(given)
  const earlier = adopt<Server>(dir, NAME)
  if (earlier) {
    const reason = earlier.httpPort
      ? await failure(dir, earlier, logSize(dir, NAME), signal)
      : 'the port of its HTTP interface is unknown'
    if (!reason) return handle(earlier)
    print(`Restarting the running Temporal server: ${reason}`)
    await stopProcess(earlier, GENTLY)
  }
  const binary = await temporalBinary({ cacheDir, print, signal })
  const deadline = Date.now() + PATIENCE
  for (let attempt = 1; ; attempt++) {
    const logFrom = logSize(dir, NAME)
    const server = await start(dir, binary, settings)
    const reason = await failure(dir, server, logFrom, signal)
    if (!reason) return handle(server)
    await stopProcess(server, GENTLY)
    signal?.throwIfAborted()
    if (Date.now() > deadline) {
      throw new StartError(`Temporal does not run in ${dir}: ${reason}\nThe log is ${logPath(dir, NAME)}.`)
    }
    if (attempt === 1) print(`Temporal does not run yet (${reason}); the start continues for ${PATIENCE / 1000} s`)
    await sleep(500)
  }
}

const SETTINGS = {
  // Switches off the check for newer versions on the internet.
  'frontend.enableServerVersionCheck': 'false',
  // By default a timer waits up to a second, to process several timers together.
  'history.timerProcessorMaxTimeShift': '"50ms"',
  // A frozen worker keeps its connection and gets tasks, by default for over a minute.
  'frontend.keepAliveTime': '"3s"',
  'frontend.keepAliveTimeout': '"3s"',
}

/** Collects garbage when it reaches half of the used memory. */
const SMALL = { GOGC: '50' }

const GENTLY: Parameters<typeof stopProcess>[1] = [['SIGTERM', 10_000]]

async function start(dir: string, binary: string, settings: Record<string, string>): Promise<Server> {
  const database = join(dir, 'temporal.db')
  // Two servers would use one file without noticing, and an earlier server may have no pid file.
  for (const orphan of processesWith(`server start-dev --db-filename ${database} `)) await stopProcess(orphan, GENTLY)
  const last = lastRecorded<Server>(dir, NAME)
  const wishes = [last.port, last.httpPort, last.uiPort, last.metricsPort]
  const [port, httpPort, uiPort, metricsPort] = (await freePorts(wishes)) as [number, number, number, number]
  const args = [
    ...['server', 'start-dev', '--db-filename', database, '--log-level', 'warn', '--ip', '127.0.0.1'],
    ...['--port', String(port), '--http-port', String(httpPort)],
    ...['--ui-port', String(uiPort), '--metrics-port', String(metricsPort)],
    // As durable as the default, with more than twice the rate of workflow starts.
    ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=full'],
    ...Object.entries({ ...SETTINGS, ...settings }).flatMap(([key, value]) => [
      '--dynamic-config-value',
      `${key}=${value}`,
    ]),
  ]
  const ports = { port, httpPort, uiPort, metricsPort }
  // The environment of this process contains secrets, and variables of Temporal would change the server.
  return startDetached(dir, NAME, { command: binary, args, env: SMALL }, ports)
}

/** Undefined if the server answers, else the reason. */
async function failure(
  dir: string,
  server: Server,
  logFrom: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const deadline = Date.now() + PATIENCE
  while (isAlive(server)) {
    const reason = await unhealthy(addressOf(server), 'temporal.api.workflowservice.v1.WorkflowService')
    if (!reason) return undefined
    if (Date.now() > deadline || signal?.aborted) return reason
    await sleep(100)
  }
  return logTail(dir, NAME, logFrom) || 'the process ended without output'
}

function handle(server: Server): Temporal {
  return {
    address: addressOf(server),
    uiUrl: `http://127.0.0.1:${server.uiPort}`,
    otherAddresses: [server.httpPort, server.uiPort, server.metricsPort].map((port) => `127.0.0.1:${port}`),
    pid: server.pid,
    alive: () => isAlive(server),
    stop: () => stopProcess(server, GENTLY),
  }
}

function addressOf({ port }: Server): string {
  return `127.0.0.1:${port}`
}
