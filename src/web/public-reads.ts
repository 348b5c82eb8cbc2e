import type { Logger } from 'pino'
import { Problem } from '../domain/kernel/errors.ts'
import { type Body, bodyOf, etagOf } from './answers/bodies.ts'
import { dropOldest } from './answers/drop-oldest.ts'
import { restored, storedReads } from './answers/kept-reads.ts'
import { isKept } from './answers/kept-reads-rules.ts'
import { withPatience } from './answers/patience.ts'
import type { Answer, ShareRead } from './answers/shared-reads.ts'
import type { SnapshotFiles } from './answers/snapshot-files.ts'

export interface Made {
  body: string | Buffer
  headers?: Record<string, string>
  /** The body without the time of its computation: an answer that differs only in this time does not replace the last one. */
  compared?: string
  /** The state of the page that the answer shows; answers of the same revision belong together. */
  revision?: string | undefined
}

/** The changes of the page that an answer contains, and until when it is used at most. */
export interface Validity {
  pageId: number
  generation: number
  until: number
  /** The next snapshot is being made, because this one is used up soon. */
  isRenewing?: boolean
}

interface ReadOptions {
  /** When the reader began to wait, for a request with several reads. */
  since?: number | undefined
  /** The answer is the same for everyone, and API processes may take it from each other. */
  isShared?: boolean
}

interface Snapshot {
  body: Body
  headers: Record<string, string>
  validity: Validity
  /** When the answer was computed, in milliseconds. */
  at: number
  /** The database is away, and this answer may be outdated. */
  isOutdated?: boolean
}

export interface PublicReads {
  /** One read of one page: computed after a change, and the last snapshot while the database is away. */
  read(pageId: number, key: string, make: () => Promise<Made>, options?: ReadOptions): Promise<Snapshot>
  /** Whether the snapshot is still the newest. */
  isValid(validity: Validity): boolean
  /** Whether a read should make the next snapshot now, while the last one is still used. */
  isEnding(validity: Validity): boolean
  /** The page changed in this process. */
  changed(pageId: number): void
  /** The page changed in another process. */
  changedElsewhere(pageId: number): void
  /** Any page may have changed, in another process. */
  allChanged(): void
  /** Calls the listener after each change of a page, or of any page. */
  watch(listener: (pageId?: number) => void): void
}

interface Entry {
  snapshot?: Snapshot
  /** The hash of the headers and the compared body of the snapshot. */
  content?: string
  /**
   * After a failure, the last snapshot of a page without changes is served without another attempt until this moment. Afterwards
   * one reader waits for each attempt, and all others get the last snapshot.
   */
  pause?: { generation: number; until: number }
  making?: { generation: number; promise: Promise<Snapshot> }
}

interface Making {
  entry: Entry
  pageId: number
  key: string
  generation: number
  produce: () => Promise<Made>
  isShared: boolean
}

/** Bounds the age of a snapshot if the message about a change was lost. */
const LONGEST_LIFE_MS = 10_000
/** The last part of this life, in which the next snapshot is made. */
const RENEWAL_MS = 2000
const PATIENCE_MS = 1500
const RETRY_MS = 1000

export function openPublicReads(logger: Logger, files?: SnapshotFiles, share?: ShareRead): PublicReads {
  const pages = new Map<number, Map<string, Entry>>()
  for (const [id, reads] of files?.reads ?? []) {
    pages.set(id, new Map(reads.map((read) => [read.key, restored(id, read)])))
  }
  const changes = new Map<number, number>()
  /** When this process changed each page last. */
  const changedAt = new Map<number, number>()
  let changesOfAll = 0
  const listeners: ((pageId?: number) => void)[] = []
  const generationOf = (pageId: number) => (changes.get(pageId) ?? 0) + changesOfAll

  function entriesOf(pageId: number): Map<string, Entry> {
    const entries = pages.get(pageId) ?? new Map<string, Entry>()
    pages.set(pageId, entries)
    return entries
  }

  function entryOf(pageId: number, key: string): Entry {
    const entries = entriesOf(pageId)
    const entry = entries.get(key) ?? {}
    // The map is in the order of the last requests.
    entries.delete(key)
    entries.set(key, entry)
    return entry
  }

  /** Drops the snapshots with the oldest requests, and a failed entry. */
  function tidy(pageId: number, failed?: string): void {
    const entries = entriesOf(pageId)
    if (failed !== undefined && !entries.get(failed)?.snapshot) entries.delete(failed)
    dropOldest(entries, ({ snapshot }) => snapshot?.body.size() ?? 0)
  }

  async function compute({ entry, produce }: Making): Promise<Answer> {
    const { body: made, headers = {}, compared = made.toString(), revision } = await produce()
    const content = etagOf(JSON.stringify(headers) + compared)
    // The same answer keeps its body, with its ETag.
    const body = (entry.content === content && entry.snapshot?.body) || bodyOf(made)
    return { body, headers, content, revision, ageMs: 0 }
  }

  function answerFor(work: Making): Promise<Answer> {
    const { pageId, key, isShared } = work
    if (!share || !isShared || !isKept(key)) return compute(work)
    const bounds = { youngerThanMs: LONGEST_LIFE_MS - RENEWAL_MS, changedAt: changedAt.get(pageId) ?? -Infinity }
    return share({ pageId, key, ...bounds }, () => compute(work))
  }

  async function make(work: Making): Promise<Snapshot> {
    const { entry, pageId, key, generation } = work
    const { body: found, headers, content, revision, ageMs } = await answerFor(work)
    const last = entry.snapshot?.body
    // The same body keeps its compressed forms.
    const body = last?.etag === found.etag ? last : found
    const validity = { pageId, generation, until: performance.now() + LONGEST_LIFE_MS - ageMs }
    const named = revision === undefined ? headers : { ...headers, 'X-Page-Revision': revision }
    const snapshot = { body, headers: named, validity, at: Date.now() - ageMs }
    Object.assign(entry, { snapshot, content, pause: undefined })
    if (files && isKept(key)) files.readsChanged(pageId, () => storedReads(entriesOf(pageId)))
    return snapshot
  }

  const isValid = ({ pageId, generation, until }: Validity) =>
    generation === generationOf(pageId) && performance.now() < until

  const isEnding = ({ until, isRenewing = false }: Validity) => !isRenewing && performance.now() > until - RENEWAL_MS

  function next(pageId: number): void {
    changes.set(pageId, (changes.get(pageId) ?? 0) + 1)
    for (const listener of listeners) listener(pageId)
  }

  /** Concurrent readers wait for the same computation, unless the page has changed since its start. */
  function makeOnce(work: Making): Promise<Snapshot> {
    const { entry, pageId, key, generation } = work
    if (entry.making?.generation === generation) return entry.making.promise
    const promise = make(work)
    entry.making = { generation, promise }
    const made = (failed?: string) => {
      if (entry.making?.promise === promise) entry.making = undefined
      tidy(pageId, failed)
    }
    promise.then(
      () => made(),
      () => made(key),
    )
    return promise
  }

  return {
    async read(pageId, key, produce, { since = performance.now(), isShared = false } = {}) {
      const entry = entryOf(pageId, key)
      const generation = generationOf(pageId)
      const { snapshot, pause } = entry
      const work = { entry, pageId, key, generation, produce, isShared }
      if (!snapshot) return makeOnce(work)
      const { validity } = snapshot
      if (isValid(validity)) {
        if (isEnding(validity)) {
          validity.isRenewing = true
          void makeOnce(work).catch(() => {})
        }
        return snapshot
      }
      const outdated = { ...snapshot, isOutdated: true }
      if (pause?.generation === generation && (performance.now() < pause.until || entry.making)) return outdated
      try {
        return await withPatience(makeOnce(work), since + PATIENCE_MS - performance.now())
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'unavailable') throw error
        logger.debug({ page_id: pageId }, 'the database is away or slow; serving the last snapshot')
        entry.pause = { generation, until: performance.now() + RETRY_MS }
        return outdated
      }
    },
    isValid,
    isEnding,
    changed(pageId) {
      changedAt.set(pageId, performance.now())
      next(pageId)
    },
    changedElsewhere: next,
    allChanged() {
      changesOfAll += 1
      for (const listener of listeners) listener()
    },
    watch(listener) {
      listeners.push(listener)
    },
  }
}
