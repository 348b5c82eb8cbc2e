import type { PageRef } from '../../../src/domain/kernel/context.ts'
import type { Caller } from '../../support/caller.ts'
import { type Document, exampleBody } from './document.ts'

/** What most paths can name; what is missing is made from examples. */
export async function makeRecords(admin: Caller, name: string): Promise<void> {
  const { body: item } = await admin.post('/hierarchy/items', { name, external_id: `${name}-item` })
  const { body: incident } = await admin.post('/incidents', {
    title: name,
    external_id: `${name}-incident`,
    affected_items: [{ id: item.id }],
  })
  await admin.post(`/incidents/${incident.id}/updates`, { message: name })
  const { body: maintenance } = await admin.post('/maintenances', {
    title: name,
    external_id: `${name}-maintenance`,
    affected_items: [{ id: item.id }],
  })
  await admin.post(`/maintenances/${maintenance.id}/updates`, { message: name })
  await admin.post('/maintenance-series', {
    ...{ title: name, external_id: `${name}-series`, affected_items: [{ id: item.id }], recurrence_type: 'weekly' },
    ...{ start_time: '02:30', start_date: '2099-01-05', duration_minutes: 60, generate_months: 1 },
  })
  const { body: group } = await admin.post('/beat-groups', { name, external_id: `${name}-beat-group` })
  const { body: beat } = await admin.post('/beats', {
    ...{ name, external_id: `${name}-beat`, type: 'http', target: { url: 'https://example.com/health' } },
    ...{ threshold_policies: { critical_rule: { consecutive_failures: 3 } }, beat_group_id: group.id },
  })
  await admin.post(`/beats/${beat.id}/run`)
  const { body: endpoint } = await admin.post('/external-event-endpoints', { name, external_id: `${name}-endpoint` })
  await admin.post('/external-triggers', {
    ...{ name, external_id: `${name}-trigger`, source_id: endpoint.id, draft: true },
    stage_mapping: { default_stage: 'warning' },
  })
  await admin.post('/subscribers', { channel: 'email', email: 'reader@example.com', confirmed: true })
  await admin.post('/subscribers', { channel: 'webhook', url: `https://example.com/${encodeURIComponent(name)}` })
  await admin.post('/views', { name, items: [{ id: item.id }] })
  await admin.post('/views/alias-blocklist', { value: 'example' })
  await admin.post('/api-tokens', { name, permission: 'read' })
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000)
  await admin.post('/page/access-links', { name, expires_at: tomorrow.toISOString() })
}

/** A caller whose paths start below the admin prefix of a page, which works on any host. */
export function scopedTo(caller: Caller, page: PageRef): Caller {
  const prefix = `/orgs/${page.organization_id}/pages/${page.id}/admin`
  return {
    request: (method, path, body, headers) => caller.request(method, prefix + path, body, headers),
    get: (path, headers) => caller.get(prefix + path, headers),
    post: (path, body, headers) => caller.post(prefix + path, body, headers),
    patch: (path, body, headers) => caller.patch(prefix + path, body, headers),
    del: (path, headers) => caller.del(prefix + path, headers),
  }
}

/** Where records are listed that no list stands before. */
const listedAt: Record<string, string> = { '/status-events': '/hierarchy/items/{id}/status-events' }

/** An id without a record. */
const MISSING_ID = '2147483647'

/**
 * A path with each parameter taken from the newest record of the list that stands before it, as a client would find it:
 * `/incidents/{id}/updates/{update_id}` from `/incidents`, then from that incident's updates. Where there is none, more
 * is made, at last from the example in the document.
 */
export async function fillIn(path: string, admin: Caller, document: Document): Promise<string> {
  const first = await filled(path, admin, document)
  if (first) return first
  await makeRecords(admin, `more-${performance.now()}`)
  return (await filled(path, admin, document, true))!
}

async function filled(path: string, admin: Caller, document: Document, last = false): Promise<string | undefined> {
  const parts = path.split('/').slice(1)
  let result = ''
  for (const [index, part] of parts.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined) {
      result += `/${part}`
      continue
    }
    const list = `/${parts.slice(0, index).join('/')}`.replace(/\/external$/, '')
    const at = result.replace(/\/external$/, '')
    const example = last ? exampleBody(document, `/api/v1/admin${list}`, 'post') : undefined
    const value = await parameter(name, { at: listedAt[list] ?? at, admin, document, example })
    if (value === undefined && !last) return undefined
    result += `/${encodeURIComponent(String(value ?? MISSING_ID))}`
  }
  return result
}

interface Listed {
  at: string
  admin: Caller
  document: Document
  example: unknown
}

async function parameter(name: string, { at, admin, document, example }: Listed): Promise<unknown> {
  if (name === 'page_slug') return (await admin.get('/page')).body.page_slug
  if (name === 'view_code') return (await admin.get('/views')).body.views[0]?.short_code
  const path = at.includes('{') ? await fillIn(at, admin, document) : at
  const newest = async () => {
    const { body } = await admin.get(path)
    const records = (Object.values(body ?? {}).find(Array.isArray) ?? []) as Record<string, unknown>[]
    const record = records.sort((a, b) => Number(b.id ?? 0) - Number(a.id ?? 0)).at(0)
    // An impact is named by its item.
    if (name === 'item_external_id' && record) {
      return (await admin.get(`/hierarchy/items/${record.item_id}`)).body.external_id
    }
    return record?.[name] ?? record?.id
  }
  const found = await newest()
  if (found !== undefined || example === undefined) return found
  await admin.post(path, example)
  return newest()
}
