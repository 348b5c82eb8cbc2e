import type { RequestListener } from 'node:http'
import { execute } from '../../domain/kernel/execute.ts'
import { isOpen } from '../../domain/kernel/open-page.ts'
import type { Services } from '../../domain/kernel/services.ts'
import { addressesOf } from '../../domain/pages/rules.ts'
import { getLanguages } from '../../domain/translations/languages.ts'
import type { Languages } from '../../domain/translations/rules.ts'
import { allPages, type ListedPage } from '../../persistence/system/directory.ts'
import { recentIncidentIds } from '../../persistence/system/recent-incidents.ts'
import { baseOf } from '../page-path.ts'
import type { PublicReads } from '../public-reads.ts'
import { askApplication } from './inner-requests.ts'
import { keepWarm } from './keep-warm.ts'
import { warmPaths } from './warm-paths-rules.ts'

/** Bounds the memory; of other pages, the reads are stored that readers asked for. */
const MOST_PAGES = 20

const actor = { kind: 'anonymous', name: 'anonymous' } as const

interface Deps {
  services: Services
  handler: RequestListener
  watch: PublicReads['watch']
  settleMs?: number
}

/** Keeps the reads of the first open pages warm. */
export function warmPages({ services, handler, watch, settleMs }: Deps): { close(): Promise<void> } {
  const { system, baseUrl, logger } = services
  const hosts = new Map<number, string>()

  async function openPages(): Promise<ListedPage[]> {
    const pages = await allPages(system)
    return pages.filter(isOpen).slice(0, MOST_PAGES)
  }

  async function findPaths(pageId: number): Promise<string[]> {
    const pages = await allPages(system)
    const page = pages.find(({ id }) => id === pageId)
    if (!page) return []
    const { public_url } = addressesOf(page, services)
    const hasHost = new URL(public_url).pathname === '/'
    hosts.set(pageId, new URL(hasHost ? public_url : baseUrl).host)
    const isDefault = pages[0] === page
    return warmPaths({
      bases: [...(hasHost || isDefault ? [''] : []), ...(hasHost ? [] : [baseOf(page.public_slug)])],
      publicSlug: page.public_slug,
      locales: await localesOf(page),
      incidentIds: await recentIncidentIds(system, pageId),
    })
  }

  async function localesOf(page: ListedPage): Promise<string[]> {
    const { output } = await execute(services, getLanguages, { page, actor, requestId: 'stored-reads', input: {} })
    const { original, offered } = output as Languages
    return offered.filter((locale) => locale !== original)
  }

  return keepWarm({
    findPages: async () => (await openPages()).map(({ id }) => id),
    findPaths,
    ask: (pageId, path, signal) => askApplication(handler, { host: hosts.get(pageId)!, path, signal }),
    watch,
    logger,
    ...(settleMs === undefined ? {} : { settleMs }),
  })
}
