import pg from 'pg'
import type { Logger } from 'pino'

export interface Changes {
  /** Notifies the other processes of a change of a page, after a short delay and once for many changes. */
  announce(pageId: number): void
  close(): Promise<void>
}

interface Options {
  url: string
  logger: Logger
  onChange: (change: Change) => void
  /** How often the connection is probed, and how long an answer may take. A broken network ends a connection without an error. */
  probeMs?: number
}

export interface Change {
  /** The pages that changed; absent after a connection, when any page may have changed. */
  pageIds?: number[]
  /** This process announced the change. */
  isOwn: boolean
}

const CHANNEL = 'page_changed'
const DEBOUNCE_MS = 50
const RECONNECT_MS = 1000
const PROBE_MS = 10_000
/** The payload of a notice has less than 8000 bytes. */
const MOST_PAGES = 500

/**
 * Notifies processes of each other's changes. Uses its own direct connection; after every (re)connection `onChange` runs.
 * The notice is sent outside the transaction of the change, where it would serialise commits, and carries the ids of pages alone.
 */
export function listenForChanges({ url, logger, onChange, probeMs = PROBE_MS }: Options): Changes {
  let client: pg.Client | undefined
  let closed = false
  /** The pages with a change here of which the other processes still need a notice. */
  const pending = new Set<number>()
  let announcing: NodeJS.Timeout | undefined
  let reconnecting: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...{ connectionString: url, application_name: 'upbeat-changes' },
      ...{ connectionTimeoutMillis: probeMs, query_timeout: probeMs },
    })
    next.on('notification', ({ processId, payload = '' }) =>
      onChange({ pageIds: pagesIn(payload), isOwn: processId === processIdOf(next) }),
    )
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      if (closed) return lost(next)
      client = next
      onChange({ isOwn: false })
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
    if (pending.size === 0 || !client) return
    const pageIds = [...pending]
    pending.clear()
    await client.query('select pg_notify($1, $2)', [CHANNEL, payloadOf(pageIds)]).catch((error) => {
      for (const pageId of pageIds) pending.add(pageId)
      logger.debug(
        { err: error },
        'could not send the notice of a change; the notice follows after the next connection',
      )
    })
  }

  async function probe(): Promise<void> {
    const probed = client
    await probed?.query('select 1').catch(() => lost(probed))
  }

  function reconnect(): Promise<void> {
    reconnecting = undefined
    return connect()
  }

  const probing = setInterval(() => void probe(), probeMs)
  void connect()
  return {
    announce(pageId) {
      pending.add(pageId)
      announcing ??= setTimeout(() => {
        announcing = undefined
        void notify()
      }, DEBOUNCE_MS)
    },
    async close() {
      closed = true
      clearInterval(probing)
      clearTimeout(announcing)
      clearTimeout(reconnecting)
      await client?.end().catch(() => {})
    },
  }
}

/** An empty payload means any page. */
const payloadOf = (pageIds: number[]) => (pageIds.length > MOST_PAGES ? '' : pageIds.join(','))
const pagesIn = (payload: string) => (payload === '' ? undefined : payload.split(',').map(Number))

/** The process of the database server behind a connection, which the types of the driver leave out. */
const processIdOf = (client: pg.Client) => (client as pg.Client & { processID?: number }).processID
