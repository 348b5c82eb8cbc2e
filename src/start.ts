import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, readConfig } from './config.ts'
import { StartError } from './embedded/errors.ts'
import { holdDirectory } from './embedded/lock.ts'
import { startPostgres } from './embedded/postgres.ts'
import { startTemporal } from './embedded/temporal.ts'
import { encryptionKeys } from './encryption-keys.ts'
import { fillEmptyDatabase, firstToken } from './first-start.ts'
import { keepAlive } from './keep-alive.ts'
import { stopLeftovers } from './leftovers.ts'
import { openTemporal } from './orchestration/client.ts'
import { migrate } from './persistence/migrate.ts'
import { sentenceOf } from './process.ts'
import { type Supervised, superviseProcess } from './supervise.ts'

/** `npm start`: everything on one machine, from an empty directory or from whatever the last run left. */

const say = (message: string) => console.log(message)

/** What is to be stopped again: our processes first, because they work with the servers. */
const servers: { stop(): Promise<void> }[] = []
const processes: Supervised[] = []
/** What our processes are told; a server that comes back on another port changes it. */
const shared: Record<string, string> = {}
let stopping = false

async function main(): Promise<void> {
  const config = readConfig(process.env)
  holdDirectory(config.DATA_DIR)
  await stopLeftovers(config.DATA_DIR)
  await mayListen(config)
  // What a log has to say at length is for machines, and whoever sits here can ask for it.
  shared.LOG_LEVEL = process.env.LOG_LEVEL || 'warn'
  shared.ENCRYPTION_KEYS = await encryptionKeys(config)
  const [DATABASE_URL, uiUrl] = await Promise.all([bringDatabase(config), bringTemporal(config)])
  const [api] = await Promise.all([
    run('api', new URL('./main.ts', import.meta.url)),
    run('worker', new URL('../worker/main.ts', import.meta.url)),
  ])
  shared.PORT = String(api.port)
  greet(config, {
    port: Number(api.port),
    uiUrl,
    token: await firstToken({ ...config, DATABASE_URL, ENCRYPTION_KEYS: shared.ENCRYPTION_KEYS }),
  })
}

/** Found out before anything else is started, and by the process itself once more. */
async function mayListen({ PORT, HOST }: Config): Promise<void> {
  const server = createServer().listen(PORT, HOST)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

async function bringDatabase(config: Config): Promise<string> {
  const DATABASE_URL = config.DATABASE_URL ?? (await ownPostgres(config))
  shared.DATABASE_URL = DATABASE_URL
  await migrate(DATABASE_URL)
  await fillEmptyDatabase({ ...config, DATABASE_URL, ENCRYPTION_KEYS: await encryptionKeys(config) })
  return DATABASE_URL
}

async function ownPostgres(config: Config): Promise<string> {
  const server = keepAlive({
    name: 'PostgreSQL',
    start: (signal) => startPostgres({ dir: join(config.DATA_DIR, 'postgres'), say, signal }),
    onRestart: ({ url }) => share('DATABASE_URL', url),
    say,
  })
  servers.push(server)
  return (await server.started).url
}

async function bringTemporal(config: Config): Promise<string | undefined> {
  if (config.TEMPORAL_ADDRESS) {
    shared.TEMPORAL_ADDRESS = config.TEMPORAL_ADDRESS
    return untilReachable(config)
  }
  const server = keepAlive({
    name: 'Temporal',
    start: (signal) =>
      startTemporal({ dir: join(config.DATA_DIR, 'temporal'), cacheDir: config.CACHE_DIR, say, signal }),
    onRestart: ({ address }) => share('TEMPORAL_ADDRESS', address),
    say,
  })
  servers.push(server)
  const { address, uiUrl } = await server.started
  shared.TEMPORAL_ADDRESS = address
  return uiUrl
}

const TEMPORAL_PATIENCE_MS = 8000

/** Our processes wait for a Temporal that is away; whoever has just typed a wrong address wants to know. */
async function untilReachable({ TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE }: Config): Promise<undefined> {
  const temporal = openTemporal(TEMPORAL_ADDRESS!, TEMPORAL_NAMESPACE)
  try {
    for (const deadline = Date.now() + TEMPORAL_PATIENCE_MS; ; await sleep(250)) {
      if (await temporal.reachable()) return
      if (Date.now() > deadline) {
        throw new StartError(`Temporal cannot be reached at ${TEMPORAL_ADDRESS} (TEMPORAL_ADDRESS).`)
      }
    }
  } finally {
    await temporal.close()
  }
}

function share(name: string, value: string): void {
  if (shared[name] === value) return
  shared[name] = value
  for (const child of processes) child.renew()
}

function run(name: string, file: URL): Supervised['ready'] {
  if (stopping) throw new StartError('It is being stopped.')
  const child = superviseProcess({ name, file, env: () => ({ ...process.env, ...shared }), say })
  processes.push(child)
  return child.ready
}

function greet(config: Config, { port, uiUrl, token }: { port: number; uiUrl?: string; token?: string }): void {
  const base = config.PORT === 0 ? `http://localhost:${port}/` : config.BASE_URL
  say('')
  say('Upbeat is ready.')
  say(`  Page      ${base}`)
  say(`  API       ${new URL('/api/v1/', base)}`)
  say(`  API docs  ${new URL('/api/docs', base)}`)
  if (uiUrl) say(`  Workflows ${uiUrl}`)
  if (token) say(`\n  Admin token, shown this once: ${token}`)
  say('')
}

/** Requests under way are finished first; whoever asks a second time does not want to wait for them. */
async function stop(code: number): Promise<void> {
  if (stopping) {
    for (const child of processes) child.hurry()
    return
  }
  stopping = true
  await stopEach(processes)
  await stopEach(servers)
  process.exit(code)
}

async function stopEach(parts: { stop(): Promise<void> }[]): Promise<void> {
  for (const result of await Promise.allSettled(parts.map((part) => part.stop()))) {
    if (result.status === 'rejected') console.error(sentenceOf(result.reason))
  }
}

function giveUp(error: unknown): void {
  // What breaks while all is being stopped, breaks because of that.
  if (stopping) return
  console.error(sentenceOf(error))
  void stop(1)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
// Nobody may be reading any more; that is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
process.on('uncaughtException', giveUp)
main().catch(giveUp)
