import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Orm } from '../../persistence/orm.ts'
import { allPages, type ListedPage } from '../../persistence/system/directory.ts'
import type { PageRef } from '../kernel/context.ts'
import { pageNamedByHost, pageOfToken, slugInHost } from './rules.ts'

export interface Match {
  page: PageRef
  /** The request used a slug that the page had before it was renamed, and that no page has now. */
  renamed: boolean
}

export interface Directory {
  /** The page that the host names, else the page of the token, else the first page. */
  ofHost(host: string, tokenPageId?: number): Promise<Match | undefined>
  byIds(organizationId: number | undefined, pageId: number | undefined): Promise<PageRef | undefined>
  byId(pageId: number): Promise<PageRef | undefined>
  byPublicSlug(slug: string): Promise<Match | undefined>
  ofOrganization(organizationId: number): Promise<PageRef[]>
  /** Changes with the pages; undefined unless they were read within the last second. */
  version(): number | undefined
  /** Makes the next call read the pages again. */
  forget(): void
}

/** The pages at the last stop, for a start without the database, and what stores them. */
export interface KeptPages {
  pages?: ListedPage[] | undefined
  pagesChanged?(pages: ListedPage[]): void
}

const FRESH_MS = 1000
/** `version` reads the pages again from this age on, so that requests need not wait for them. */
const RENEWED_MS = 500
/** How long a request waits for a slow database before it uses the last known pages. */
const PATIENCE_MS = 500

/** The pages, kept in memory; the last known pages are used while the database is away. */
export function openDirectory(
  system: Orm,
  baseDomain: string | undefined,
  kept: KeptPages = {},
  patienceMs = PATIENCE_MS,
): Directory {
  let known = kept.pages
  let version = 0
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<ListedPage[]> | undefined
  /** A request did not wait for the end of this read, so no other request waits for it. */
  let slow: Promise<ListedPage[]> | undefined

  /** A read that began before a change does not replace what was read after the change. */
  let changes = 0

  async function read(): Promise<ListedPage[]> {
    const started = performance.now()
    const change = changes
    const isNewest = () => change === changes
    try {
      const found = await allPages(system)
      if (!isNewest()) return found
      if (!isDeepStrictEqual(found, known)) {
        version += 1
        kept.pagesChanged?.(found)
      }
      known = found
      readAt = started
      return known
    } catch (error) {
      if (!known) throw error
      if (isNewest()) readAt = performance.now()
      return known
    } finally {
      if (isNewest()) reading = undefined
    }
  }

  function pages(): Promise<ListedPage[]> {
    if (known && performance.now() - readAt < FRESH_MS) return Promise.resolve(known)
    reading ??= read()
    const last = known
    const mine = reading
    if (!last) return mine
    if (slow === mine) return Promise.resolve(last)
    const late = sleep(patienceMs).then(() => {
      slow = mine
      return last
    })
    return Promise.race([mine, late])
  }

  function forget(): void {
    changes += 1
    reading = undefined
    readAt = Number.NEGATIVE_INFINITY
  }

  /** A token can belong to a page that was created after the last read. */
  async function pagesWith(id: number | undefined): Promise<ListedPage[]> {
    const last = await pages()
    if (id === undefined || last.some((page) => page.id === id)) return last
    forget()
    return pages()
  }

  return {
    async ofHost(host, tokenPageId) {
      const asked = { host, baseDomain }
      const known = await pagesWith(tokenPageId)
      return (
        matchOf(pageNamedByHost(known, asked)) ??
        matchOfFormer(known, slugInHost(asked)) ??
        matchOf(pageOfToken(known, tokenPageId))
      )
    },
    byIds: async (organizationId, pageId) =>
      (await pages()).find((page) => page.id === pageId && page.organization_id === organizationId),
    byId: async (pageId) => (await pages()).find((page) => page.id === pageId),
    async byPublicSlug(slug) {
      const known = await pages()
      return matchOf(known.find((page) => page.public_slug === slug)) ?? matchOfFormer(known, slug)
    },
    ofOrganization: async (organizationId) => (await pages()).filter((page) => page.organization_id === organizationId),
    version() {
      const age = performance.now() - readAt
      if (age >= RENEWED_MS && !reading) {
        reading = read()
        reading.catch(() => {})
      }
      return age < FRESH_MS ? version : undefined
    },
    forget,
  }
}

const matchOf = (page: PageRef | undefined) => page && { page, renamed: false }

function matchOfFormer(pages: ListedPage[], slug: string | undefined): Match | undefined {
  const page = pages.find((one) => slug !== undefined && one.former_slugs.includes(slug))
  return page && { page, renamed: true }
}
