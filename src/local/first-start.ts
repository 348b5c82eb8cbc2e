import type { Config } from '../config.ts'
import type { Services } from '../domain/kernel/services.ts'
import { fillExample } from '../domain/pages/example.ts'
import { createOrganization, createPage, issueToken } from '../domain/pages/provision.ts'
import { ApiToken } from '../persistence/entities/api-token.ts'
import { Organization } from '../persistence/entities/organization.ts'
import { Page } from '../persistence/entities/page.ts'
import { pageById } from '../persistence/system/directory.ts'
import { createLogger } from '../runtime/logger.ts'
import { createFoundation } from '../services.ts'
import type { Greeting } from './prepare.ts'

type Configured = Config & { DATABASE_URL: string; ENCRYPTION_KEYS: string }

const EXAMPLE = 'example'

const MAIN = 'main'

/**
 * Fills an empty database with an organization, a page and, unless `example` is false, the example. The first token is created
 * afterwards: without a token an earlier start may have been killed, and this start continues.
 */
export async function fillEmptyDatabase(config: Configured, { example }: { example: boolean }): Promise<void> {
  await withServices(config, async (services) => {
    const { system } = services
    const em = system.em.fork()
    const [found, ...others] = await em.find(Organization, {}, { limit: 2, orderBy: { id: 'asc' } })
    const ours = !found || found.slug === EXAMPLE || found.slug === MAIN
    if (others.length > 0 || !ours || (await em.count(ApiToken)) > 0) return
    const now = services.clock()
    const isMain = found ? found.slug === MAIN : !example
    const [slug, owner, name] = isMain ? [MAIN, 'Main', 'Status'] : [EXAMPLE, 'Example', 'Example status']
    const organization = found ?? (await createOrganization(system, owner, now, slug))
    const named = { organizationId: organization.id, name, slug }
    const page =
      (await em.findOne(Page, { organization_id: organization.id })) ?? (await createPage(system, { ...named, now }))
    if (isMain || !example) return
    await fillExample(services, await pageById(system, page.id))
  })
}

/** What the start prints at its end. Creates the first admin token if there is none: last, so that no failed start loses it. */
export async function prepareGreeting(config: Configured): Promise<Greeting> {
  return withServices(config, async (services) => {
    const sending = await services.system.em
      .fork()
      .execute(`select 1 from page_settings where values->>'email_delivery_mode' = 'smtp' limit 1`)
    return { sendsMails: sending.length > 0, token: await firstToken(services) }
  })
}

async function firstToken({ system, clock }: Services): Promise<string | undefined> {
  const em = system.em.fork()
  if ((await em.count(ApiToken)) > 0) return undefined
  const [page] = await em.find(Page, {}, { orderBy: { id: 'asc' }, limit: 1 })
  if (!page) return undefined
  const token = { name: 'First admin', permission: 'admin', roleKey: 'page_admin' } as const
  return issueToken(system, { ...token, pageId: page.id, now: clock() })
}

async function withServices<T>(config: Configured, work: (services: Services) => Promise<T>): Promise<T> {
  const foundation = await createFoundation({
    config,
    logger: createLogger(config.LOG_LEVEL, 'first-start'),
    name: 'upbeat-first-start',
    wakeups: () => ({ wakeProcesses: () => {} }),
    pageChanged: () => {},
  })
  try {
    return await work(foundation.services)
  } finally {
    await foundation.close()
  }
}
