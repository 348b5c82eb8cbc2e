import { pathsOf } from '../../../src/api/paths.ts'
import type { Route } from '../../../src/api/routes/route.ts'
import { ManagedDomain } from '../../../src/persistence/entities/managed-domain.ts'
import { insertAction } from '../../support/acting.ts'
import { insertTurnAndPlan } from '../../support/agent.ts'
import { insertNotification } from '../../support/deliveries.ts'
import { insertEvent } from '../../support/ingest.ts'
import { openTestService, type TestService } from '../../support/test-service.ts'
import { until } from '../../support/wait.ts'
import { type Document, exampleRequest } from './document.ts'
import { type Credential, credentials } from './permission-rules.ts'
import { fillIn, makeRecords, scopedTo } from './records.ts'

export type Page = TestService['page']

/** Two pages with records, a token of each permission and role for both, and calls of any route on these records. */
export function openPermissions() {
  let service: TestService
  let document: Document
  const tokens = new Map<string, string>()
  const known = new Map<string, string[]>()
  const nameOf = (page: Page, { permission, roleKey }: Credential) => `${page.id} ${permission} ${roleKey}`

  async function open(): Promise<void> {
    service = await openTestService()
    await makeRecords(scopedTo(service.admin, service.page), 'own')
    await makeRecords(scopedTo(service.otherAdmin, service.otherPage), 'other')
    // No operation creates an action.
    for (const page of [service.page, service.otherPage]) await insertAction(service, page)
    for (const page of [service.page, service.otherPage]) await insertEvent(service, page)
    for (const page of [service.page, service.otherPage]) await insertTurnAndPlan(service, page)
    for (const page of [service.page, service.otherPage]) await insertNotification(service, page)
    // The host of the service is a domain of the page, so a token of another page is foreign on this host.
    const own = { page_id: service.page.id, created_at: new Date(), hostname: '127.0.0.1', active: true }
    await service.services.system.em.fork().insert(ManagedDomain, own)
    // Pages are kept in memory for a second.
    await until(
      () => service.otherAdmin.get('/admin/page'),
      ({ status }) => status === 404,
    )
    document = (await service.admin.get('/openapi.json')).body
    for (const page of [service.page, service.otherPage]) {
      for (const credential of credentials) {
        tokens.set(nameOf(page, credential), await service.token({ ...credential, page }))
      }
    }
  }

  /** Every address of the route on a page, with parameters that name the newest records of that page or of another. */
  async function addresses(route: Route, page: Page, records = page): Promise<string[]> {
    // Operations delete or revoke the newest token, which must not be a token of these tests.
    if (route.operation.area === 'tokens' && route.method !== 'GET') await service.token({ page: records })
    const admin = scopedTo(records === service.page ? service.admin : service.otherAdmin, records)
    const { org_id, page_id } = { org_id: String(page.organization_id), page_id: String(page.id) }
    const paths = pathsOf({ ...route, path: await fillIn(route.path, admin, document) })
    // The tests change the slug too.
    const page_slug = paths.some((path) => path.includes('{page_slug}'))
      ? (await admin.get('/page')).body.page_slug
      : ''
    const found = paths.map((path) =>
      path
        .replace('/api/v1', '')
        .replace('{page_slug}', page_slug)
        .replace('{org_id}', org_id)
        .replace('{page_id}', page_id),
    )
    known.set(keyOf(route, page, records), found)
    return found
  }

  const keyOf = (route: Route, page: Page, records: Page) => `${route.method} ${route.path} ${page.id} ${records.id}`

  /** As `addresses`, from an earlier call of the same route. */
  const knownAddresses = async (route: Route, page: Page, records = page) =>
    known.get(keyOf(route, page, records)) ?? addresses(route, page, records)

  async function call(route: Route, path: string | undefined, token: string | undefined): Promise<number> {
    if (['GET', 'DELETE'].includes(route.method)) return (await service.as(token).request(route.method, path!)).status
    const { body, headers } = exampleRequest(document, pathsOf(route)[0]!, route.method)
    return (await service.as(token).request(route.method, path!, body, headers)).status
  }

  /** Calls an address of the route on the page, and looks for another record if an earlier call removed the record. */
  async function callExisting(route: Route, door: number, token: string): Promise<number> {
    const status = await call(route, (await knownAddresses(route, service.page))[door], token)
    if (status !== 404 || !route.operation.changes) return status
    return call(route, (await addresses(route, service.page))[door], token)
  }

  return {
    ...{ open, addresses, knownAddresses, call, callExisting },
    close: () => service.close(),
    service: () => service,
    page: () => service.page,
    otherPage: () => service.otherPage,
    token: (page: Page, credential: Credential) => tokens.get(nameOf(page, credential))!,
    allTokens: () => [...tokens.values()],
  }
}
