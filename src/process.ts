import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, ConfigError, readConfig } from './config.ts'
import { StartError } from './embedded/errors.ts'
import { createLogger } from './logger.ts'

export interface Running {
  /** What the one who started this process wants to know; also written to DATA_DIR. */
  ready: Record<string, number | string>
  stop(): Promise<void>
}

const LONGEST_STOP_MS = 10_000

/** The life of a process: start or say in one sentence why not, tell that it is ready, stop when asked or orphaned. */
export async function runProcess(
  name: string,
  start: (config: Config, logger: Logger) => Promise<Running>,
): Promise<void> {
  let running: Running
  let logger: Logger
  try {
    const config = readConfig(process.env)
    logger = createLogger(config.LOG_LEVEL, name)
    running = await start(config, logger)
    await mkdir(config.DATA_DIR, { recursive: true })
    await writeFile(
      join(config.DATA_DIR, `${name}.json`),
      `${JSON.stringify({ pid: process.pid, ...running.ready })}\n`,
    )
  } catch (error) {
    console.error(sentenceOf(error))
    process.exit(1)
  }
  logger.info(running.ready, 'ready')
  process.send?.({ ready: running.ready })
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref()
    running.stop().then(
      () => process.exit(0),
      (error) => {
        logger.error({ err: error }, 'could not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // The one who started this process is gone, perhaps by kill -9: nobody else would stop it.
  process.on('disconnect', stop)
}

export function requireSetting<K extends 'DATABASE_URL' | 'TEMPORAL_ADDRESS'>(config: Config, name: K): string {
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
  const refused = /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ETIMEDOUT|timeout exceeded/.exec(`${code} ${message}`)
  if (refused)
    return `The database cannot be reached (${address ? `${address}:${port}` : 'DATABASE_URL'}: ${refused[0]}).`
  if (code?.startsWith('28')) return `The database refuses DATABASE_URL's user: ${message}.`
  return `Cannot start: ${message ?? error}`
}
