import { join } from 'node:path'
import { type Config, readConfig } from './config.ts'
import { holdDirectory } from './embedded/lock.ts'
import { startPostgres } from './embedded/postgres.ts'
import { startTemporal } from './embedded/temporal.ts'
import { encryptionKeys } from './encryption-keys.ts'
import { fillEmptyDatabase, firstToken } from './first-start.ts'
import { migrate } from './persistence/migrate.ts'
import { sentenceOf } from './process.ts'
import { keepAlive, type Supervised, superviseProcess } from './supervise.ts'

/** `npm start`: everything on one machine, from an empty directory or from whatever the last run left. */

const say = (message: string) => console.log(message)

interface Part {
  stop(): Promise<void>
}

const parts: Part[] = []
let stopping = false

async function stopAll(code: number): Promise<void> {
  if (stopping) return
  stopping = true
  for (const part of parts.reverse()) await part.stop().catch((error) => console.error(sentenceOf(error)))
  process.exit(code)
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const lock = holdDirectory(config.DATA_DIR)
  parts.push({ stop: async () => lock.release() })
  const env = await bringUp(config)
  await migrate(env.DATABASE_URL)
  const configured = { ...config, DATABASE_URL: env.DATABASE_URL }
  await fillEmptyDatabase(configured)
  const [api] = await Promise.all([
    run('api', new URL('./main.ts', import.meta.url), env),
    run('worker', new URL('../worker/main.ts', import.meta.url), env),
  ])
  greet(config, { port: Number(api.port), uiUrl: env.uiUrl, token: await firstToken(configured) })
}

async function bringUp(config: Config) {
  const ENCRYPTION_KEYS = await encryptionKeys(config)
  const [DATABASE_URL, temporal] = await Promise.all([
    config.DATABASE_URL ?? embeddedPostgres(config),
    config.TEMPORAL_ADDRESS ? { address: config.TEMPORAL_ADDRESS, uiUrl: undefined } : embeddedTemporal(config),
  ])
  return { DATABASE_URL, TEMPORAL_ADDRESS: temporal.address, ENCRYPTION_KEYS, uiUrl: temporal.uiUrl }
}

async function embeddedPostgres(config: Config): Promise<string> {
  const start = () => startPostgres({ dir: join(config.DATA_DIR, 'postgres'), say })
  const server = keepAlive('PostgreSQL', await start(), start, say)
  parts.push(server)
  return server.current.url
}

async function embeddedTemporal(config: Config) {
  const start = () => startTemporal({ dir: join(config.DATA_DIR, 'temporal'), cacheDir: config.CACHE_DIR, say })
  const server = keepAlive('Temporal', await start(), start, say)
  parts.push(server)
  return server.current
}

function run(name: string, file: URL, env: Record<string, string | undefined>): Supervised['ready'] {
  const child = superviseProcess(name, file, { ...process.env, ...env }, say)
  parts.push(child)
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

process.on('SIGINT', () => void stopAll(0))
process.on('SIGTERM', () => void stopAll(0))
main().catch((error) => {
  console.error(sentenceOf(error))
  void stopAll(1)
})
