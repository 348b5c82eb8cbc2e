import { setTimeout as sleep } from 'node:timers/promises'
import type { Orm } from '../../persistence/orm.ts'
import { allPages } from '../../persistence/system/directory.ts'
import type { PageRef } from '../kernel/context.ts'
import { pageOfHost } from './rules.ts'

export interface Directory {
  ofHost(host: string): Promise<PageRef | undefined>
  byIds(organizationId: number | undefined, pageId: number | undefined): Promise<PageRef | undefined>
  byId(pageId: number): Promise<PageRef | undefined>
  byPublicSlug(slug: string): Promise<PageRef | undefined>
  ofOrganization(organizationId: number): Promise<PageRef[]>
  /** A page may have changed: the next look reads again. */
  forget(): void
}

const FRESH_MS = 1000
/** How long a request waits for a slow database before it goes on with what was known. */
const PATIENCE_MS = 500

/** Which pages there are, kept in memory; it goes on serving what it knew while the database is away. */
export function openDirectory(system: Orm, baseDomain: string | undefined): Directory {
  let known: PageRef[] | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<PageRef[]> | undefined

  async function read(): Promise<PageRef[]> {
    const started = performance.now()
    try {
      known = await allPages(system)
      readAt = started
      return known
    } catch (error) {
      if (!known) throw error
      readAt = performance.now()
      return known
    } finally {
      reading = undefined
    }
  }

  function pages(): Promise<PageRef[]> {
    if (known && performance.now() - readAt < FRESH_MS) return Promise.resolve(known)
    reading ??= read()
    const last = known
    return last ? Promise.race([reading, sleep(PATIENCE_MS, last)]) : reading
  }

  return {
    ofHost: async (host) => pageOfHost(await pages(), host, baseDomain),
    byIds: async (organizationId, pageId) =>
      (await pages()).find((page) => page.id === pageId && page.organization_id === organizationId),
    byId: async (pageId) => (await pages()).find((page) => page.id === pageId),
    byPublicSlug: async (slug) => (await pages()).find((page) => page.public_slug === slug),
    ofOrganization: async (organizationId) => (await pages()).filter((page) => page.organization_id === organizationId),
    forget: () => {
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
