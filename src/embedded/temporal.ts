import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@temporalio/client'
import { adopt, lastRecorded, logPath, logSize, logTail, type Recorded, startDetached } from './detached.ts'
import { reasonOf, StartError } from './errors.ts'
import { freePorts } from './ports.ts'
import { isAlive, processesWith, stopProcess } from './processes.ts'
import { temporalBinary } from './temporal-binary.ts'
import type { ToolOptions } from './tool-cache.ts'

export interface Temporal {
  address: string
  uiUrl: string
  pid: number
  alive(): boolean
  stop(): Promise<void>
}

type Server = Recorded<{ uiPort: number; metricsPort: number }>

const NAME = 'temporal'
const PATIENCE = 30_000

/** The Temporal development server of this directory: adopted if it runs and answers, else started. */
export async function startTemporal({
  dir: given,
  cacheDir,
  say,
  signal,
}: ToolOptions & { dir: string }): Promise<Temporal> {
  const dir = usable(given)
  const earlier = adopt<Server>(dir, NAME)
  if (earlier) {
    const reason = await failure(dir, earlier, logSize(dir, NAME), signal)
    if (!reason) return handle(earlier)
    say(`The Temporal server that was running is started again: ${reason}`)
    await stopProcess(earlier, GENTLY)
  }
  const binary = await temporalBinary({ cacheDir, say, signal })
  const deadline = Date.now() + PATIENCE
  for (let attempt = 1; ; attempt++) {
    const logFrom = logSize(dir, NAME)
    const server = await start(dir, binary)
    const reason = await failure(dir, server, logFrom, signal)
    if (!reason) return handle(server)
    await stopProcess(server, GENTLY)
    signal?.throwIfAborted()
    if (Date.now() > deadline) {
      throw new StartError(`Temporal does not run in ${dir}: ${reason}\nIts log is ${logPath(dir, NAME)}.`)
    }
    if (attempt === 1) say(`Temporal does not run yet, trying on for ${PATIENCE / 1000} s: ${reason}`)
    await sleep(500)
  }
}

const GENTLY: Parameters<typeof stopProcess>[1] = [['SIGTERM', 10_000]]

async function start(dir: string, binary: string): Promise<Server> {
  const database = join(dir, 'temporal.db')
  // Two servers would work on one file without noticing each other, and one may be left that was never written down.
  for (const orphan of processesWith(`server start-dev --db-filename ${database} `)) await stopProcess(orphan, GENTLY)
  const last = lastRecorded<Server>(dir, NAME)
  const [port, uiPort, metricsPort] = await freePorts([last.port, last.uiPort, last.metricsPort])
  const args = [
    ...['server', 'start-dev', '--db-filename', database, '--log-level', 'warn', '--ip', '127.0.0.1'],
    ...['--port', String(port), '--ui-port', String(uiPort), '--metrics-port', String(metricsPort)],
    // As durable as the default, at more than twice the rate of starts.
    ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=full'],
    // It would ask its makers for a newer one.
    ...['--dynamic-config-value', 'frontend.enableServerVersionCheck=false'],
    // As it comes, it lets a timer wait for up to a second, to look at many at once.
    ...['--dynamic-config-value', 'history.timerProcessorMaxTimeShift="50ms"'],
    // A worker that is frozen keeps its connection, and is given tasks: by default for over a minute.
    ...['--dynamic-config-value', 'frontend.keepAliveTime="3s"'],
    ...['--dynamic-config-value', 'frontend.keepAliveTimeout="3s"'],
  ]
  const ports = { port: port!, uiPort: uiPort!, metricsPort: metricsPort! }
  // Our environment holds secrets, and variables of Temporal's own would change what this one does.
  return startDetached(dir, NAME, { command: binary, args, env: {} }, ports)
}

/** Undefined when it answers, else why not. */
async function failure(
  dir: string,
  server: Server,
  logFrom: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const deadline = Date.now() + PATIENCE
  while (isAlive(server)) {
    const reason = await unhealthy(addressOf(server))
    if (!reason) return undefined
    if (Date.now() > deadline || signal?.aborted) return reason
    await sleep(100)
  }
  return logTail(dir, NAME, logFrom) || 'it ended without a word'
}

// A channel that was refused waits a second before it tries again, and all channels to an address share that wait.
const IMPATIENT = {
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 100,
}

async function unhealthy(address: string): Promise<string | undefined> {
  const connection = Connection.lazy({ address, connectTimeout: '1s', channelArgs: IMPATIENT, interceptors: [] })
  try {
    await connection.ensureConnected()
    const request = { service: 'temporal.api.workflowservice.v1.WorkflowService' }
    const { status } = await connection.withDeadline(Date.now() + 3000, () => connection.healthService.check(request))
    return status === SERVING ? undefined : `its health is ${status}`
  } catch (error) {
    return reasonOf(error)
  } finally {
    await connection.close()
  }
}

const SERVING = 1

function handle(server: Server): Temporal {
  return {
    address: addressOf(server),
    uiUrl: `http://127.0.0.1:${server.uiPort}`,
    pid: server.pid,
    alive: () => isAlive(server),
    stop: () => stopProcess(server, GENTLY),
  }
}

function addressOf({ port }: Server): string {
  return `127.0.0.1:${port}`
}

function usable(dir: string): string {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    return realpathSync(dir)
  } catch (error) {
    throw new StartError(`The directory ${dir} cannot be used: ${reasonOf(error)}`)
  }
}
