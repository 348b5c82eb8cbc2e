import pg from 'pg'
import type { Logger } from 'pino'

export interface Changes {
  /** Notifies the other processes of a change, after a short delay and once for many changes. */
  announce(): void
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
 * Notifies processes of each other's changes. Uses its own direct connection; after every (re)connection `onChange` runs.
 * The notice is sent outside the transaction of the change, where it would serialise commits, and carries no data.
 */
export function listenForChanges({ url, logger, onChange }: Options): Changes {
  let client: pg.Client | undefined
  let closed = false
  /** Whether the other processes still need a notice of a change here. */
  let isPending = false
  let announcing: NodeJS.Timeout | undefined
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
      logger.debug({ err: error }, 'could not listen for changes; a new connection follows')
      lost(next)
    }
  }

  function lost(one: pg.Client): void {
    if (client === one) client = undefined
    one.removeAllListeners()
    one.on('error', () => {})
    one.end().catch(() => {})
    if (!closed) reconnecting ??= setTimeout(() => void reconnect(), RECONNECT_MS)
  }

  async function notify(): Promise<void> {
    if (!isPending || !client) return
    isPending = false
    await client.query(`notify ${CHANNEL}`).catch((error) => {
      isPending = true
      logger.debug(
        { err: error },
        'could not send the notice of a change; the notice follows after the next connection',
      )
    })
  }

  function reconnect(): Promise<void> {
    reconnecting = undefined
    return connect()
  }

  void connect()
  return {
    announce() {
      isPending = true
      announcing ??= setTimeout(() => {
        announcing = undefined
        void notify()
      }, DEBOUNCE_MS)
    },
    async close() {
      closed = true
      clearTimeout(announcing)
      clearTimeout(reconnecting)
      await client?.end().catch(() => {})
    },
  }
}
