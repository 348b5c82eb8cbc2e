import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

interface Options {
  /** The pages that are kept warm. */
  findPages: () => Promise<number[]>
  /** The reads of a page. */
  findPaths: (pageId: number) => Promise<string[]>
  /** Reads a path as a reader would; the answer is the status. */
  ask: (pageId: number, path: string, signal: AbortSignal) => Promise<number>
  /** Calls the listener after each change of a page, or of any page. */
  watch(listener: (pageId?: number) => void): void
  logger: Logger
  settleMs?: number
}

const SETTLE_MS = 5000
/** Also without a change, because reads contain times and measurements. */
const RENEWAL_MS = 15 * 60_000
const RETRY_MS = 30_000
/** The pauses take four times as long as the reads, and more if a read was quick. */
const PAUSE_PER_WORK = 4
const SHORTEST_PAUSE_MS = 20

/**
 * Reads what should outlive a restart without the database, at the start and after changes, one read at a time. A page is
 * read some seconds after its first change, so that changes that follow each other cost one pass.
 */
export function keepWarm(options: Options): { close(): Promise<void> } {
  const { findPages, findPaths, ask, watch, logger, settleMs = SETTLE_MS } = options
  const stopping = new AbortController()
  const { signal } = stopping
  /** When a page is read next, in the milliseconds of this process. */
  const due = new Map<number, number>()
  let allDue: number | undefined = performance.now()

  watch((pageId) => {
    const at = performance.now() + settleMs
    if (pageId === undefined) allDue ??= at
    else due.set(pageId, Math.min(due.get(pageId) ?? at, at))
  })

  async function pass(pageId: number): Promise<void> {
    for (const path of await findPaths(pageId)) {
      const started = performance.now()
      const status = await ask(pageId, path, signal)
      if (status === 503) throw new Error('The database is away.')
      await sleep(Math.max(SHORTEST_PAUSE_MS, PAUSE_PER_WORK * (performance.now() - started)), undefined, { signal })
    }
  }

  async function next(): Promise<void> {
    const now = performance.now()
    if (allDue !== undefined && allDue <= now) {
      allDue = undefined
      for (const pageId of await findPages()) due.set(pageId, now)
    }
    const [pageId] = [...due].filter(([, at]) => at <= now).map(([id]) => id)
    if (pageId === undefined) return sleep(Math.min(settleMs, 500), undefined, { signal })
    due.delete(pageId)
    if (!(await findPages()).includes(pageId)) return
    due.set(pageId, now + RENEWAL_MS)
    await pass(pageId)
  }

  async function live(): Promise<void> {
    while (!signal.aborted) {
      try {
        await next()
      } catch (error) {
        if (signal.aborted) return
        logger.debug({ err: error }, 'could not renew the stored reads')
        allDue = performance.now() + RETRY_MS
        await sleep(settleMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  const life = live()
  return {
    async close() {
      stopping.abort()
      await life.catch(() => {})
    },
  }
}
