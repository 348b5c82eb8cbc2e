import pg from 'pg'
import type { Logger } from 'pino'

export interface Changes {
  /** Something changed here: tells the other processes, a little later and once for many. */
  tell(): void
  close(): Promise<void>
}

interface Options {
  url: string
  logger: Logger
  onChange: () => void
}

const CHANNEL = 'page_changed'
const DEBOUNCE_MS = 50
const RECONNECT_MS = 1000

/**
 * How processes hear of each other's changes. The connection is its own and direct; after every (re)connection all is
 * read again. The notice goes outside the change's transaction and carries nothing: inside, it serialises commits.
 */
export function listenForChanges({ url, logger, onChange }: Options): Changes {
  let client: pg.Client | undefined
  let closed = false
  /** A change here that the others have not been told of yet. */
  let owed = false
  let telling: NodeJS.Timeout | undefined
  let reconnecting: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, application_name: 'upbeat-changes', keepAlive: true })
    next.on('notification', onChange)
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      if (closed) return lost(next)
      client = next
      onChange()
      await notify()
    } catch (error) {
      logger.debug({ err: error }, 'could not listen for changes; trying again')
      lost(next)
    }
  }

  function lost(one: pg.Client): void {
    if (client === one) client = undefined
    one.removeAllListeners()
    one.on('error', () => {})
    one.end().catch(() => {})
    if (!closed) reconnecting ??= setTimeout(() => void again(), RECONNECT_MS)
  }

  async function notify(): Promise<void> {
    if (!owed || !client) return
    owed = false
    await client.query(`notify ${CHANNEL}`).catch((error) => {
      owed = true
      logger.debug({ err: error }, 'could not tell of a change; it is told after reconnecting')
    })
  }

  function again(): Promise<void> {
    reconnecting = undefined
    return connect()
  }

  void connect()
  return {
    tell() {
      owed = true
      telling ??= setTimeout(() => {
        telling = undefined
        void notify()
      }, DEBOUNCE_MS)
    },
    async close() {
      closed = true
      clearTimeout(telling)
      clearTimeout(reconnecting)
      await client?.end().catch(() => {})
    },
  }
}
