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
  /** What the one who started this process wants to know; also written to DATA_DIR. */
  ready: Record<string, number | string>
  stop(): Promise<void>
}

/** What a process sends to the one that started it. A failure that is final would come again at the next start. */
export type Started = { ready: Running['ready'] } | { failed: string; final: boolean }

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
    // A supervisor has warned of these already.
    if (!process.connected) for (const warning of unknownSettings(process.env)) console.error(warning)
    const logger = createLogger(config.LOG_LEVEL, name)
    const running = await start(config, logger)
    life = { running, logger }
    await writeDown(config, name, running)
    logger.info(running.ready, 'ready')
    if (process.connected) process.send?.({ ready: running.ready } satisfies Started)
    // Now and not at the end, which a kill would leave out.
    flushCompileCache()
  } catch (error) {
    giveUp(sentenceOf(error), isFinal(error))
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

/** The reason is printed once: by the process that started this one, or else here. */
function giveUp(failed: string, final: boolean): void {
  if (process.connected) {
    process.send?.({ failed, final } satisfies Started, () => process.exit(1))
    return
  }
  console.error(failed)
  process.exit(1)
}

async function writeDown({ DATA_DIR }: Config, name: string, { ready }: Running): Promise<void> {
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
  if (!value) throw new ConfigError(`${name} is not set: \`npm start\` brings its own, this process needs it named.`)
  return value
}
