import { rename, writeFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, ConfigError, readConfig, unknownSettings } from '../config.ts'
import { makeDirectory } from '../local/embedded/directories.ts'
import { processStart } from '../local/embedded/processes.ts'
import { isFinal, sentenceOf } from './error-sentences.ts'
import { createLogger } from './logger.ts'

export interface Running {
  /** Facts for the process that started this one, such as ports; also written to DATA_DIR. */
  ready: Record<string, number | string>
  stop(): Promise<void>
}

/** The message of a process to the process that started it. A final failure would repeat at the next start. */
export type Started = { ready: Running['ready'] } | { failed: string; final: boolean }

const LONGEST_STOP_MS = 10_000

/** Runs a process: starts or reports why not, reports that it is ready, and stops on a signal or when orphaned. */
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
  // The process that started this one is gone, perhaps by kill -9: this process must stop itself.
  process.on('disconnect', stop)
  if (process.send && !process.connected) stop()
  try {
    const config = readConfig(process.env)
    // A supervisor has already printed these warnings.
    if (!process.connected) for (const warning of unknownSettings(process.env)) console.error(warning)
    const logger = createLogger(config.LOG_LEVEL, name)
    const running = await start(config, logger)
    life = { running, logger }
    await writeProcessFile(config, name, running)
    logger.info(running.ready, 'ready')
    if (process.connected) process.send?.({ ready: running.ready } satisfies Started)
    // Now and not at the end, because a kill would skip it.
    flushCompileCache()
  } catch (error) {
    giveUp(sentenceOf(error), isFinal(error))
  }
}

function finish(running: Running, logger: Logger): void {
  setTimeout(() => {
    logger.warn('stopped before the running work had ended')
    process.exit(1)
  }, LONGEST_STOP_MS).unref()
  running.stop().then(
    () => process.exit(0),
    (error) => {
      logger.error({ err: error }, 'the stop failed')
      process.exit(1)
    },
  )
}

/** Prints the reason once: in the process that started this one, or else here. */
function giveUp(failed: string, final: boolean): void {
  if (process.connected) {
    process.send?.({ failed, final } satisfies Started, () => process.exit(1))
    return
  }
  console.error(failed)
  process.exit(1)
}

async function writeProcessFile({ DATA_DIR }: Config, name: string, { ready }: Running): Promise<void> {
  const { pid, connected = false } = process
  const path = join(DATA_DIR, `${name}.json`)
  makeDirectory(DATA_DIR)
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
  if (!value)
    throw new ConfigError(`${name} is not set: \`npm start\` runs its own server, but this process needs the setting.`)
  return value
}
