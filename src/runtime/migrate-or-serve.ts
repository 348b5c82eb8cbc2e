import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isDatabaseAway } from '../persistence/failures.ts'

interface Options {
  migrate: () => Promise<unknown>
  /** There are answers to the public that need no database. */
  canServe: boolean
  logger: Logger
}

const PATIENCE_MS = 1000
const RETRY_MS = 1000

/** Migrates, or lets a process start that can serve without its database, and migrates as soon as the database is back. */
export async function migrateOrServe({ migrate, canServe, logger }: Options): Promise<{ stop(): void }> {
  let stopped = false
  const stop = () => {
    stopped = true
  }

  async function migrateLater(first: { error: unknown } | undefined): Promise<void> {
    for (let failure = first; failure && !stopped; failure = await failureOf(migrate())) {
      if (!isDatabaseAway(failure.error)) return logger.error({ err: failure.error }, 'the migration failed')
      await sleep(RETRY_MS, undefined, { ref: false })
    }
  }

  const failing = failureOf(migrate())
  const outcome = await (canServe ? Promise.race([failing, sleep(PATIENCE_MS, 'late' as const)]) : failing)
  if (outcome === undefined) return { stop }
  if (outcome !== 'late' && !(canServe && isDatabaseAway(outcome.error))) throw outcome.error
  logger.warn('the database is away: this process serves the last answers to the public')
  void failing.then(migrateLater)
  return { stop }
}

const failureOf = (work: Promise<unknown>): Promise<{ error: unknown } | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
