import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { isOpen } from '../../domain/kernel/open-page.ts'
import type { ListedPage } from '../../persistence/system/directory.ts'

/** An answer on disk. */
export interface StoredRead {
  key: string
  body: string
  headers: Record<string, string>
  /** When the answer was computed, in milliseconds. */
  at: number
}

export interface SnapshotFiles {
  /** The pages and the answers at the last stop; no pages if there are none. */
  pages: ListedPage[] | undefined
  reads: Map<number, StoredRead[]>
  /** Stores the pages, and removes the answers of the pages that not everyone may read. */
  pagesChanged(pages: ListedPage[]): void
  /** Stores the answers of a page soon. */
  readsChanged(pageId: number, reads: () => StoredRead[]): void
  close(): Promise<void>
}

interface Options {
  dir: string
  logger: Logger
  delayMs?: number
}

const DELAY_MS = 2000
const MOST_BYTES_PER_PAGE = 20 * 1024 * 1024
const MOST_PAGES = 1000
const PAGES = 'pages.json'

/** Whether an earlier process has stored pages in this folder. */
export const hasStoredPages = (dir: string): boolean => existsSync(join(dir, PAGES))

/** The last answers to the public in files, so that a restarted process can serve them without its database. */
export function openSnapshotFiles({ dir, logger, delayMs = DELAY_MS }: Options): SnapshotFiles {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const pathOf = (pageId: number) => join(dir, `page-${pageId}.json`)
  const stored = readFile<ListedPage[]>(join(dir, PAGES))
  const open = new Set((stored ?? []).filter(isOpen).map(({ id }) => id))
  const reads = new Map<number, StoredRead[]>()
  for (const id of filedPages(dir)) if (open.has(id)) reads.set(id, readFile<StoredRead[]>(pathOf(id)) ?? [])
  const pending = new Map<number, () => StoredRead[]>()
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()

  /** One change of files at a time, in their order. */
  function next(work: () => Promise<void>): Promise<void> {
    last = last
      .then(work)
      .catch((error) => logger.warn({ err: error }, 'could not store the last answers to the public'))
    return last
  }

  async function write(path: string, value: unknown): Promise<void> {
    await writeFile(`${path}.new`, JSON.stringify(value), { mode: 0o600 })
    await rename(`${path}.new`, path)
  }

  async function writeReads(): Promise<void> {
    for (const [pageId, find] of pending) {
      pending.delete(pageId)
      if (open.has(pageId)) await write(pathOf(pageId), fitting(find()))
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    return next(writeReads)
  }

  return {
    pages: stored,
    reads,
    pagesChanged(pages) {
      open.clear()
      for (const { id } of pages.filter(isOpen).slice(0, MOST_PAGES)) open.add(id)
      void next(async () => {
        await write(join(dir, PAGES), pages.map(withoutSecrets))
        for (const id of filedPages(dir)) if (!open.has(id)) await rm(pathOf(id), { force: true })
      })
    },
    readsChanged(pageId, find) {
      pending.set(pageId, find)
      timer ??= setTimeout(() => void flush(), delayMs)
    },
    close: flush,
  }
}

/** Sessions and access links of pages end here: without the database, only pages for everyone are served. */
const withoutSecrets = (page: ListedPage): ListedPage => ({
  ...page,
  name: isOpen(page) ? page.name : '',
  viewer_session_key: '',
  access_links: [],
})

/** The newest answers within the limit. */
function fitting(reads: StoredRead[]): StoredRead[] {
  let bytes = 0
  return reads.toReversed().filter(({ body }) => {
    bytes += body.length
    return bytes <= MOST_BYTES_PER_PAGE
  })
}

function filedPages(dir: string): number[] {
  return readdirSync(dir).flatMap((name) => {
    const [, id] = /^page-(\d+)\.json$/.exec(name) ?? []
    return id === undefined ? [] : [Number(id)]
  })
}

function readFile<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch {
    // Without a file, or with one that cannot be read, the answers come from the database.
    return undefined
  }
}
