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
  await admin.post('/api-tokens', { name, permission: 'read' })
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

/**
 * A path with each parameter taken from the newest record of the list that stands before it, as a client would find it:
 * `/incidents/{id}/updates/{update_id}` from `/incidents`, then from that incident's updates. Where there is none, one
 * is made from the example in the document.
 */
export async function fillIn(path: string, admin: Caller, document: Document): Promise<string> {
  const parts = path.split('/').slice(1)
  let filled = ''
  for (const [index, part] of parts.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    const list = `/${parts.slice(0, index).join('/')}`.replace(/\/external$/, '')
    const at = filled.replace(/\/external$/, '')
    filled += `/${name === undefined ? part : await parameter(name, { list, at, admin, document })}`
  }
  return filled
}

interface Listed {
  /** The path of the list, and the same filled in. */
  list: string
  at: string
  admin: Caller
  document: Document
}

async function parameter(name: string, { list, at, admin, document }: Listed): Promise<string> {
  if (name === 'page_slug') return (await admin.get('/page')).body.page_slug
  const elsewhere = listedAt[list]
  const newest = async () => {
    const { body } = await admin.get(elsewhere ? await fillIn(elsewhere, admin, document) : at)
    const records = (Object.values(body ?? {}).find(Array.isArray) ?? []) as Record<string, unknown>[]
    return records.sort((a, b) => Number(b.id ?? 0) - Number(a.id ?? 0)).at(0)
  }
  let record = await newest()
  if (!record) {
    await makeRecords(admin, `more-${performance.now()}`)
    await admin.post(at, exampleBody(document, `/api/v1/admin${list}`, 'post'))
    record = await newest()
  }
  const value = record?.[name] ?? record?.id
  if (value === undefined) throw new Error(`there is nothing that ${list} lists, and nothing could be made`)
  return encodeURIComponent(String(value))
}
