import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { StartError } from './local/embedded/errors.ts'
import { holdDirectory } from './local/embedded/lock.ts'
import { startPostgres } from './local/embedded/postgres.ts'
import { startTemporal, type Temporal } from './local/embedded/temporal.ts'
import { nodeOptions } from './local/node-options.ts'
import { openPreparation } from './local/preparation.ts'
import type { Greeting, Settings } from './local/prepare.ts'
import { restartOnExit } from './local/restart-on-exit.ts'
import { stopStaleProcesses } from './local/stale-processes.ts'
import { type Supervised, superviseProcess } from './local/supervise.ts'
import { sentenceOf } from './runtime/error-sentences.ts'
import { hasStoredPages } from './web/answers/snapshot-files.ts'

/**
 * `npm start`: all processes on one machine, from an empty directory or after any end of the last run. This process lives as
 * long as the service, so it loads as few libraries as possible.
 *
 * The script of `npm start` sets how glibc keeps freed memory, in all of these processes: for two arenas and not for each of
 * many threads (20 MB in a process), and at most 1 MiB at the end of the heap, however large the freed blocks are (10 to 20 MB).
 * With lower bounds, answers of a few hundred KiB take up to twice the time, because the system clears new memory for each. It
 * also makes Node store the compiled code of this process and of the preparation; `store-code.ts` is for the others.
 */

const print = (message: string) => console.log(message)

/** Stopped after the processes, which use the servers. */
const servers: { stop(): Promise<void> }[] = []
const processes: Supervised[] = []
/** The environment of the processes; a server that restarts on another port changes it. */
const shared: Record<string, string> = {
  // Otherwise Node warns that it strips the scripts of the page of their types.
  NODE_OPTIONS: process.env.NODE_OPTIONS || '--disable-warning=ExperimentalWarning',
}
/** The address of the embedded database for its owner; a restart can change its port. */
let ownerUrl = ''
/** The API serves stored pages; the processes wait for the database. */
let startedWithoutDatabase = false
let stopping = false
// The embedded database may have just ended and will restart; all other failures are shown to the user.
const preparation = openPreparation({
  env: { ...process.env, ...shared },
  print,
  retries: () => ownerUrl !== '',
})

const NO_EXAMPLE = '--no-example'
const example = !process.argv.includes(NO_EXAMPLE)

function refuseUnknownArguments(): void {
  const unknown = process.argv.slice(2).find((argument) => argument !== NO_EXAMPLE)
  if (unknown !== undefined) {
    throw new StartError(`"${unknown}" is not an argument of npm start; the only argument is ${NO_EXAMPLE}.`)
  }
}

async function main(): Promise<void> {
  refuseUnknownArguments()
  const settings = await preparation.run('settings', () => undefined as never)
  holdDirectory(settings.DATA_DIR)
  await stopStaleProcesses(settings.DATA_DIR)
  await requireFreePort(settings)
  // A terminal shows warnings only; LOG_LEVEL can switch on the full log.
  shared.SNAPSHOT_DIR = process.env.SNAPSHOT_DIR || join(settings.DATA_DIR, 'snapshots')
  shared.LOG_LEVEL = process.env.LOG_LEVEL || 'warn'
  const [, uiUrl, code] = await Promise.all([
    prepareDatabase(settings),
    prepareTemporal(settings),
    preparation.run('code', () => undefined as never),
  ])
  const options = [...nodeOptions, ...code.options]
  const [api] = await Promise.all([
    run('api', new URL('./main.ts', import.meta.url), options, code.env),
    run('worker', new URL('../worker/main.ts', import.meta.url), options, { ...code.env, ...nextMetricsPort() }),
  ])
  shared.PORT = String(api.port)
  const greeting = startedWithoutDatabase ? undefined : await preparation.run('greeting', () => databaseOf(settings))
  await preparation.stop()
  // Now and not at the end, because a kill would skip it.
  flushCompileCache()
  greet(settings, { port: Number(api.port), uiUrl, ...greeting })
}

/** Checks the port before other processes start; the API process checks it again. */
async function requireFreePort({ PORT, HOST }: Settings): Promise<void> {
  const server = createServer().listen(PORT, HOST)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

/** Whether an earlier run has stored pages, which the API serves while other servers are away. */
const hasServed = () => hasStoredPages(shared.SNAPSHOT_DIR!)

const databaseOf = ({ DATABASE_URL }: Settings) => ({
  url: DATABASE_URL ?? ownerUrl,
  embedded: !DATABASE_URL,
  example,
  isOptional: DATABASE_URL !== undefined && hasServed(),
})

async function prepareDatabase(settings: Settings): Promise<void> {
  if (!settings.DATABASE_URL) await ownPostgres(settings)
  const { settings: prepared, problem } = await preparation.run('database', () => databaseOf(settings))
  startedWithoutDatabase = problem !== undefined
  if (problem) print(`${problem} Pages are served as they were last; changes wait for the database.`)
  Object.assign(shared, prepared)
  // The port may have changed during the preparation.
  if (ownerUrl) shared.DATABASE_URL = withPortOf(shared.DATABASE_URL!, ownerUrl)
}

async function ownPostgres({ DATA_DIR }: Settings): Promise<void> {
  const server = restartOnExit({
    name: 'PostgreSQL',
    start: (signal) => startPostgres({ dir: join(DATA_DIR, 'postgres'), print, signal }),
    onRestart({ url }) {
      ownerUrl = url
      if (shared.DATABASE_URL) share({ DATABASE_URL: withPortOf(shared.DATABASE_URL, url) })
    },
    print,
  })
  servers.push(server)
  ownerUrl = (await server.started).url
}

function withPortOf(url: string, other: string): string {
  const moved = new URL(url)
  moved.port = new URL(other).port
  return moved.href
}

async function prepareTemporal({ TEMPORAL_ADDRESS, DATA_DIR, CACHE_DIR }: Settings): Promise<string | undefined> {
  if (TEMPORAL_ADDRESS) {
    shared.TEMPORAL_ADDRESS = TEMPORAL_ADDRESS
    if (!hasServed()) await preparation.run('temporal', () => undefined as never)
    return undefined
  }
  const server = restartOnExit({
    name: 'Temporal',
    start: (signal) => startTemporal({ dir: join(DATA_DIR, 'temporal'), cacheDir: CACHE_DIR, print, signal }),
    onRestart: (again) => share(temporalSettings(again)),
    print,
  })
  servers.push(server)
  const started = await server.started
  Object.assign(shared, temporalSettings(started))
  return started.uiUrl
}

/** The processes also get the other ports of Temporal, because no beat may connect to them. */
function temporalSettings({ address, otherAddresses }: Temporal): Record<string, string> {
  const own = [process.env.OWN_ADDRESSES, ...otherAddresses].filter(Boolean)
  return { TEMPORAL_ADDRESS: address, OWN_ADDRESSES: own.join(',') }
}

function share(settings: Record<string, string>): void {
  if (Object.entries(settings).every(([name, value]) => shared[name] === value)) return
  Object.assign(shared, settings)
  for (const child of processes) child.renew()
}

/** Both processes serve metrics: of a configured port the worker takes the next one. */
function nextMetricsPort(): Record<string, string> {
  const port = Number(process.env.METRICS_PORT)
  return port > 0 ? { METRICS_PORT: String(port + 1) } : {}
}

function run(name: string, file: URL, options: string[] = [], own: Record<string, string> = {}): Supervised['ready'] {
  if (stopping) throw new StartError('The service is being stopped.')
  const child = superviseProcess({ name, file, options, env: () => ({ ...process.env, ...shared, ...own }), print })
  processes.push(child)
  return child.ready
}

interface Facts extends Partial<Greeting> {
  port: number
  uiUrl: string | undefined
}

function greet({ PORT, BASE_URL }: Settings, { port, uiUrl, token, sendsMails }: Facts): void {
  const base = PORT === 0 ? `http://localhost:${port}/` : BASE_URL
  print('')
  print('Upbeat is ready.')
  print(`  Page      ${base}`)
  print(`  API       ${new URL('/api/v1/', base)}`)
  print(`  API docs  ${new URL('/api/docs', base)}`)
  if (uiUrl) print(`  Workflows ${uiUrl}`)
  if (sendsMails === false) {
    print(
      '  Mails     not sent while the setting email_delivery_mode is "log"; GET /api/v1/admin/deliveries shows them',
    )
  }
  if (token) print(`\n  Admin token, shown only once: ${token}`)
  print('')
}

/** Waits for the running requests; a second signal stops the processes at once. */
async function stop(code: number): Promise<void> {
  if (stopping) {
    for (const child of processes) child.hurry()
    return
  }
  stopping = true
  await stopEach([preparation, ...processes])
  await stopEach(servers)
  process.exit(code)
}

async function stopEach(parts: { stop(): Promise<void> }[]): Promise<void> {
  for (const result of await Promise.allSettled(parts.map((part) => part.stop()))) {
    if (result.status === 'rejected') console.error(sentenceOf(result.reason))
  }
}

function giveUp(error: unknown): void {
  // A failure during the stop is a consequence of the stop.
  if (stopping) return
  console.error(sentenceOf(error))
  void stop(1)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
// A closed output is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
process.on('uncaughtException', giveUp)
main().catch(giveUp)
