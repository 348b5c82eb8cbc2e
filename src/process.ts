import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, ConfigError, readConfig } from './config.ts'
import { StartError } from './embedded/errors.ts'
import { processStart } from './embedded/processes.ts'
import { createLogger } from './logger.ts'

export interface Running {
  /** What the one who started this process wants to know; also written to DATA_DIR. */
  ready: Record<string, number | string>
  stop(): Promise<void>
}

/** What a process tells the one who started it, on their channel. */
export type Told = { ready: Running['ready'] } | { failed: string }

const LONGEST_STOP_MS = 10_000

/** The life of a process: start or say in one sentence why not, tell that it is ready, stop when asked or orphaned. */
export async function runProcess(
  name: string,
  start: (config: Config, logger: Logger) => Promise<Running>,
): Promise<void> {
  let life: { running: Running; logger: Logger } | undefined
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    if (life) finish(life.running, life.logger)
    else process.exit(0)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // The one who started this process is gone, perhaps by kill -9: nobody else would stop it.
  process.on('disconnect', stop)
  if (process.send && !process.connected) stop()
  try {
    const config = readConfig(process.env)
    const logger = createLogger(config.LOG_LEVEL, name)
    const running = await start(config, logger)
    life = { running, logger }
    await writeDown(config, name, running)
    logger.info(running.ready, 'ready')
    if (process.connected) process.send?.({ ready: running.ready } satisfies Told)
  } catch (error) {
    giveUp(sentenceOf(error))
  }
}

function finish(running: Running, logger: Logger): void {
  setTimeout(() => {
    logger.warn('stopped without waiting any longer for what is under way')
    process.exit(1)
  }, LONGEST_STOP_MS).unref()
  running.stop().then(
    () => process.exit(0),
    (error) => {
      logger.error({ err: error }, 'could not stop cleanly')
      process.exit(1)
    },
  )
}

/** One voice is enough: the one who started this process says why it ended, or else we do. */
function giveUp(sentence: string): void {
  if (process.connected) {
    process.send?.({ failed: sentence } satisfies Told, () => process.exit(1))
    return
  }
  console.error(sentence)
  process.exit(1)
}

async function writeDown({ DATA_DIR }: Config, name: string, { ready }: Running): Promise<void> {
  const { pid, connected = false } = process
  const path = join(DATA_DIR, `${name}.json`)
  await mkdir(DATA_DIR, { recursive: true })
  await writeFile(
    `${path}.${pid}`,
    `${JSON.stringify({ pid, started: processStart(pid), supervised: connected, ...ready })}\n`,
  )
  await rename(`${path}.${pid}`, path)
}

export function requireSetting<K extends 'DATABASE_URL' | 'ENCRYPTION_KEYS' | 'TEMPORAL_ADDRESS'>(
  config: Config,
  name: K,
): string {
  const value = config[name]
  if (!value) throw new ConfigError(`${name} is not set: \`npm start\` brings its own, this process needs it named.`)
  return value
}

/** One clear sentence for whoever started this. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartError) return error.message
  const { code, message, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string }
  if (code === 'EADDRINUSE') return `The port ${port} is in use: stop what uses it, or set PORT to another one.`
  if (code === 'EACCES' && port) return `The port ${port} may not be used by this user: set PORT to one above 1023.`
  const refused =
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ECONNRESET|connection timeout|timeout exceeded|timeout expired/.exec(
      `${code} ${message}`,
    )
  if (refused)
    return `The database cannot be reached (${address ? `${address}:${port}` : 'DATABASE_URL'}: ${refused[0]}).`
  if (code?.startsWith('28')) return `The database refuses DATABASE_URL's user: ${message}.`
  return `Cannot start: ${message || code || error}`
}
