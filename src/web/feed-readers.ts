import { setImmediate } from 'node:timers/promises'
import { READERS_AT_MOST } from '../domain/feeds/reader-rules.ts'
import type { Services } from '../domain/kernel/services.ts'
import { type NamedFeed, storeReaders } from '../persistence/system/feed-readers.ts'

export type FeedName = NamedFeed['feed']

/** The readers of one feed since the last minute. */
export interface Readers {
  /** Cheap, because each read calls this. */
  add(address: string, agent: string | undefined): void
}

/** Counts who reads feeds. Addresses are in memory for a minute and are stored nowhere. */
export interface FeedReaders {
  of(pageId: number, feed: FeedName): Readers
  start(): void
  /** Stores the readers of the last minute. */
  flush(): Promise<void>
  close(): Promise<void>
}

const EVERY_MS = 60_000
/** How many readers wait to be stored, of all feeds: a flood of names of programs costs no more memory. */
const WAITING_AT_MOST = 20_000
const AGENT_LENGTH = 200
/** After so many hashes, other requests have their turn. */
const HASHES_AT_ONCE = 500

interface Seen extends NamedFeed {
  readers: Set<string>
}

export function openFeedReaders({
  system,
  keyring,
  clock,
  logger,
}: Pick<Services, 'system' | 'keyring' | 'clock' | 'logger'>): FeedReaders {
  const feeds = new Map<string, Seen & Readers>()
  let waiting = 0
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()

  function open(named: NamedFeed): Seen & Readers {
    const readers = new Set<string>()
    return {
      ...named,
      readers,
      add(address, agent = '') {
        const reader = `${address} ${agent}`.slice(0, AGENT_LENGTH)
        if (waiting >= WAITING_AT_MOST || readers.has(reader)) return
        readers.add(reader)
        waiting += 1
      },
    }
  }

  async function store({ pageId, feed, readers }: Seen): Promise<void> {
    const taken = [...readers]
    const hashes: string[] = []
    for (const [index, reader] of taken.entries()) {
      if (index % HASHES_AT_ONCE === HASHES_AT_ONCE - 1) await setImmediate()
      hashes.push(keyring.sign(reader, `readers of feed ${pageId} ${feed}`))
    }
    await storeReaders(system, { pageId, feed }, { hashes, seenAt: clock(), most: READERS_AT_MOST })
    for (const reader of taken) readers.delete(reader)
    waiting -= taken.length
  }

  async function storeAll(): Promise<void> {
    for (const seen of feeds.values()) if (seen.readers.size > 0) await store(seen)
  }

  /** Runs one after another. What a failed run did not store waits for the next. */
  function flush(): Promise<void> {
    last = last.then(storeAll).catch((error) => logger.debug({ err: error }, 'could not store the readers of feeds'))
    return last
  }

  return {
    of(pageId, feed) {
      const key = `${pageId} ${feed}`
      const known = feeds.get(key) ?? open({ pageId, feed })
      feeds.set(key, known)
      return known
    },
    start() {
      timer = setInterval(flush, EVERY_MS)
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
