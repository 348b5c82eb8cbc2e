import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Problem } from '../../domain/kernel/errors.ts'
import type { Readable } from '../access/admission.ts'
import { COMMENT, eventFor, RETRY, UNKNOWN_VERSION } from './events-rules.ts'
import { countStreams, type StreamLimits } from './limits.ts'

export interface Contents {
  version: string
  /** Of all that readers see, also on the pages of records. */
  revision: string | undefined
  /** What decides who may read the page. */
  readable: Readable
}

interface StreamRequest {
  pageId: number
  address: string
  /** Whether the reader may still read the page. */
  mayRead: (page: Readable) => boolean
  /** The version that the reader has seen. */
  known?: string
  /** Without a known version: the revision of what the reader shows. */
  shown?: string
  /** Reads the version of the page; called once for all streams of the page after each change. */
  readContents: () => Promise<Contents>
}

export interface ChangeStreams {
  /** Refuses a stream beyond the limits, before anything is written. */
  open(request: StreamRequest, response: ServerResponse): void
  readonly count: number
  /** Ends all streams, refuses new ones, and resolves when no page is being read. */
  close(): Promise<void>
}

interface Stream {
  response: ServerResponse
  address: string
  mayRead: StreamRequest['mayRead']
  known: string | undefined
  shown: string | undefined
  /** The changes of the page before the stream began: an older version would be no news. */
  begunAfter: number
  /** The streams that get their comments in the same tick. */
  group: Set<Stream>
  page: PageStreams
}

interface PageStreams {
  streams: Set<Stream>
  readContents: StreamRequest['readContents']
  version?: string
  revision?: string | undefined
  readable?: Readable
  isReading: boolean
  /** The number of changes, and how many of them the version contains. */
  changes: number
  contained: number
}

interface Options {
  logger: Logger
  limits: StreamLimits
  /** Calls the listener after each change of a page, or of any page. */
  watch(listener: (pageId?: number) => void): void
  /** A stream gets a comment in one of twenty ticks. */
  tickMs?: number
}

/** Comments keep connections open. */
const TICKS = 20
/** Bounds the memory for a reader that does not read: about a hundred changes. */
const MOST_UNREAD_BYTES = 16 * 1024
/** Between two reads of a page that changes all the time. */
const PAUSE_MS = 20

/** Streams of the changes of pages. One timer and, for each change, one read of the page serve all of them. */
export function openChangeStreams({ logger, limits, watch, tickMs = 1000 }: Options): ChangeStreams {
  const pages = new Map<number, PageStreams>()
  const counts = countStreams(limits)
  const ticks = Array.from({ length: TICKS }, () => new Set<Stream>())
  let tick = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const running = new Set<Promise<void>>()

  function send({ response }: Stream, text: string): void {
    if (response.destroyed || response.writableEnded) return
    response.write(text)
    if (response.writableLength > MOST_UNREAD_BYTES) response.destroy()
  }

  /** A session or an access link can end without a change of the page. */
  function comment(stream: Stream): void {
    const { readable } = stream.page
    if (readable && !stream.mayRead(readable)) stream.response.end()
    else send(stream, COMMENT)
  }

  function bring(stream: Stream, { version, revision }: Pick<Contents, 'version' | 'revision'>): void {
    const isOutdated = stream.shown !== undefined && stream.shown !== revision
    const event = eventFor(stream.known ?? (isOutdated ? UNKNOWN_VERSION : undefined), version)
    stream.known = version
    if (event !== undefined) send(stream, event)
  }

  function publish(page: PageStreams, { version, revision, readable }: Contents): void {
    Object.assign(page, { version, revision, readable })
    for (const stream of page.streams) {
      if (!stream.mayRead(readable)) stream.response.end()
      else if (stream.begunAfter <= page.contained) bring(stream, { version, revision })
    }
  }

  function refresh(pageId: number, page: PageStreams): void {
    if (page.isReading) return
    const reading = read(pageId, page).finally(() => running.delete(reading))
    running.add(reading)
  }

  async function read(pageId: number, page: PageStreams): Promise<void> {
    page.isReading = true
    try {
      while (isStale(page) && page.streams.size > 0 && !isClosed) {
        const { changes } = page
        const started = performance.now()
        const contents = await page.readContents()
        page.contained = changes
        publish(page, contents)
        await sleep(Math.max(PAUSE_MS, performance.now() - started))
      }
    } catch (error) {
      // The next tick tries again.
      logger.debug({ err: error, page_id: pageId }, 'could not read a page for its streams')
    } finally {
      page.isReading = false
    }
  }

  watch((pageId) => {
    const changed = pageId === undefined ? [...pages] : [[pageId, pages.get(pageId)] as const]
    for (const [id, page] of changed) {
      if (!page) continue
      page.changes += 1
      refresh(id, page)
    }
  })

  function onTick(): void {
    tick = (tick + 1) % TICKS
    for (const stream of ticks[tick]!) comment(stream)
    for (const [id, page] of pages) if (isStale(page)) refresh(id, page)
  }

  function pageOf(pageId: number, readContents: StreamRequest['readContents']): PageStreams {
    const page = pages.get(pageId) ?? { streams: new Set(), readContents, isReading: false, changes: 1, contained: 0 }
    page.readContents = readContents
    pages.set(pageId, page)
    return page
  }

  function forget(pageId: number, page: PageStreams, stream: Stream): void {
    counts.remove(stream.address)
    stream.group.delete(stream)
    page.streams.delete(stream)
    if (page.streams.size === 0 && pages.get(pageId) === page) pages.delete(pageId)
    if (counts.all > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    open({ pageId, address, mayRead, known, shown, readContents }, response) {
      if (isClosed) throw new Problem('unavailable', 'This process is stopping: connect again.')
      counts.add(address)
      const group = ticks[tick]!
      const page = pageOf(pageId, readContents)
      const stream: Stream = { response, address, mayRead, known, shown, group, page, begunAfter: page.changes }
      page.streams.add(stream)
      group.add(stream)
      response.once('close', () => forget(pageId, page, stream))
      timer ??= setInterval(onTick, tickMs)
      send(stream, RETRY)
      if (isStale(page) || page.version === undefined) refresh(pageId, page)
      else bring(stream, { version: page.version, revision: page.revision })
    },
    get count() {
      return counts.all
    },
    async close() {
      isClosed = true
      for (const { streams } of pages.values()) for (const { response } of streams) response.end()
      await Promise.all(running)
    },
  }
}

const isStale = ({ changes, contained }: PageStreams) => contained < changes
