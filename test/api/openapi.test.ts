import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { resolveSubtree } from '../../src/api/docs-script.ts'
import { pathsOf } from '../../src/api/paths.ts'
import { routes } from '../../src/api/routes/index.ts'
import { calendarAddresses } from '../../src/calendar/addresses.ts'
import { eventKeys, isPublicKey } from '../../src/domain/notifications/keys.ts'
import { embedAddresses } from '../../src/embeds/embed-addresses.ts'
import { feedAddresses } from '../../src/feeds/feed-addresses.ts'
import { statuspageAddresses } from '../../src/statuspage/addresses.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { addressesOf, allOperations, type Document, operationAt, schemaChecker } from './support/document.ts'

let service: TestService
let document: Document
beforeAll(async () => {
  service = await openTestService()
  document = (await service.as(undefined).get('/openapi.json')).body
})
afterAll(() => service.close())

test('it is valid', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(document))
  expect(result).toEqual({ valid: true })
  expect([validator.version, document.openapi]).toEqual(['3.1', '3.1.0'])
})

test('every reference leads somewhere', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)
  for (const [, path] of references) {
    const target = path!.split('/').reduce((node, name) => node?.[name.replaceAll('~1', '/')], document)
    expect([path, typeof target]).toEqual([path, 'object'])
  }
})

test('every route follows from its operations and their other addresses, and nothing else does', () => {
  const routed = routes.flatMap((route) => pathsOf(route).map((path) => `${route.method.toLowerCase()} ${path}`))
  const isForPrograms = ({ path }: { path: string }) => !path.startsWith('/api/v1/')
  const programs = allOperations(document).filter(isForPrograms)
  const inFormats = ({ path }: { path: string }) =>
    path.endsWith('.{format}') ? ['rss', 'atom'].map((format) => path.replace('{format}', format)) : [path]
  const served = [...statuspageAddresses, ...calendarAddresses, ...embedAddresses, ...feedAddresses]
  expect(programs.flatMap(inFormats).sort()).toEqual(served.map(({ path }) => path.replace(/:(\w+)/g, '{$1}')).sort())
  const others = allOperations(document).filter((one) => !isForPrograms(one))
  const described = others.flatMap(({ method, path, operation }) =>
    addressesOf(path, operation).map((address) => `${method} ${address}`),
  )
  const called = ['/api/v1/heartbeats/{token}', '/api/v1/heartbeats/{token}/{outcome}']
  const heartbeats = called.flatMap((path) => [`get ${path}`, `post ${path}`])
  const events = ['/api/v1/external-events/ingest', '/api/v1/external-events/ingest/{token}']
  const sent = events.map((path) => `post ${path}`)
  const streams = ['get /api/v1/pages/public/{page_slug}/stream']
  expect(described.sort()).toEqual([...routed, ...heartbeats, ...sent, ...streams].sort())
  expect(new Set(routed).size).toBe(routed.length)
})

test('every operation has a name of its own, a tag and a sentence', () => {
  const operations = allOperations(document).map(({ operation }) => operation)
  const names = operations.map((operation) => operation.operationId)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const { operationId, summary, tags } of operations) {
    expect([operationId, summary?.length > 5, tags.length]).toEqual([operationId, true, 1])
  }
})

test('every parameter of a path is described and is part of the path', () => {
  for (const { path, operation } of allOperations(document)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    const described = operation.parameters.filter((one: { in: string }) => one.in === 'path')
    expect([path, described.map((one: { name: string }) => one.name)]).toEqual([path, inPath])
  }
})

test('the parameters that address a record are integers, whatever a body names the same', () => {
  for (const { operation } of allOperations(document)) {
    for (const { name, schema } of operation.parameters) {
      if (!['org_id', 'page_id', 'id'].includes(name)) continue
      const integer = { type: 'integer', minimum: 1, maximum: 2147483647 }
      expect([operation.operationId, name, schema]).toEqual([operation.operationId, name, integer])
    }
  }
  const bodyAt = (path: string, method: string) =>
    operationAt(document, path, method)!.requestBody.content['application/json'].schema.properties
  expect(bodyAt('/api/v1/admin/page', 'patch').page_id).toEqual({ readOnly: true })
  const item = '/api/v1/admin/hierarchy/items/external/{external_id}'
  expect(bodyAt(item, 'patch').external_id.readOnly).toBeUndefined()
  expect(bodyAt(item, 'patch').external_id).toBeDefined()
  expect(bodyAt(item, 'put').external_id).toBeUndefined()
})

/** Every schema of the document that describes a text. */
function textsIn(node: Document, name = ''): { name: string; schema: Document }[] {
  if (node === null || typeof node !== 'object') return []
  const inner = Object.entries(node).flatMap(([key, part]) => (key === 'example' ? [] : textsIn(part, key)))
  return [node.type].flat()[0] === 'string' ? [{ name, schema: node }, ...inner] : inner
}

/** All of them in one schema, because to compile each by itself takes long. */
function wrongAmong(examples: { name: string; schema: Document; example: unknown }[]): string[] {
  const properties = Object.fromEntries(examples.map(({ name, schema }, index) => [`${name} ${index}`, schema]))
  const values = Object.fromEntries(examples.map(({ name, example }, index) => [`${name} ${index}`, example]))
  return schemaChecker(document)({ properties }, values)
}

describe('examples', () => {
  test('every body has one that its schema allows', () => {
    const bodies = allOperations(document).flatMap(({ operation: { operationId, requestBody } }) =>
      requestBody ? [{ name: operationId, ...requestBody.content['application/json'] }] : [],
    )
    expect(wrongAmong(bodies)).toEqual([])
  })

  test('every text of a record has one that its schema allows, and none is a placeholder', () => {
    const texts = Object.entries(document.components.schemas).flatMap(([name, schema]) => textsIn(schema, name))
    const described = ['enum', 'const', 'default', 'format', 'pattern', 'example']
    const given = texts.filter(({ schema }) => schema.example !== undefined)
    expect(given.length).toBeGreaterThan(150)
    expect(wrongAmong(given.map((text) => ({ ...text, example: text.schema.example })))).toEqual([])
    // A request has its bounds and one example of the whole body.
    const bare = texts.filter(({ schema }) => !described.some((key) => key in schema) && !schema.maxLength)
    expect(bare.filter(({ name }) => name !== '0')).toEqual([])
    expect(JSON.stringify(document)).not.toMatch(/"example":"(text|string)"|:"text"[,}]/)
  })
})

describe('its other addresses', () => {
  test('answer alike', async () => {
    // Some answers hold the present moment.
    service.now = new Date()
    const { organization_id, id } = service.page
    await service.admin.post('/admin/hierarchy/items', { name: 'Twin', external_id: 'twin' })
    const item = (await service.admin.get('/admin/hierarchy/items/external/twin')).body
    const affected_items = [{ external_id: 'twin' }]
    const made: Record<string, number> = { 'hierarchy/items': item.id }
    for (const [place, body] of [
      ['incidents', { title: 'Twin', affected_items }],
      ['maintenances', { title: 'Twin', affected_items }],
      ['beats', { name: 'Twin', type: 'heartbeat', target: { period_seconds: 60 } }],
      ['beat-groups', { name: 'Twin' }],
      ['external-event-endpoints', { name: 'Twin' }],
      [
        'external-triggers',
        { name: 'Twin', source: { external_id: 'twin' }, draft: true, stage_mapping: { default_stage: 'warning' } },
      ],
      [
        'maintenance-series',
        {
          title: 'Twin',
          affected_items,
          weekday: 1,
          start_time: '02:30',
          start_date: '2030-01-07',
          duration_minutes: 5,
        },
      ],
    ] as const) {
      const type = place === 'maintenance-series' ? { recurrence_type: 'weekly' } : {}
      const { status, body: record } = await service.admin.post(`/admin/${place}`, {
        ...{ ...body, ...type },
        external_id: 'twin',
      })
      expect([place, status]).toEqual([place, 201])
      made[place] = record.id
    }
    const reads = allOperations(document).filter(
      ({ method, path, operation }) =>
        method === 'get' && operation['x-external-path'] && /\{/g.exec(path)?.length === 1 && !path.endsWith('/report'),
    )
    let compared = 0
    for (const { path, operation } of reads) {
      const place = Object.keys(made).find((one) => path.startsWith(`/api/v1/admin/${one}/{id}`))!
      if (path.includes('{update_id}')) continue
      const answers = await Promise.all(
        addressesOf(path, operation).map(async (address) => {
          const filled = address
            .replace('{org_id}', String(organization_id))
            .replace('{page_id}', String(id))
            .replace('{id}', String(made[place]))
            .replace('{external_id}', 'twin')
          const { status, body } = await service.admin.get(filled.replace('/api/v1', ''))
          return { status, body }
        }),
      )
      compared += 1
      expect([path, answers[0]!.status, answers.length]).toEqual([path, 200, 4])
      for (const answer of answers) expect([path, answer]).toEqual([path, answers[0]])
    }
    expect(compared).toBeGreaterThan(10)
  })
})

test('it is small, and smaller as it is sent', async () => {
  const url = `${service.url}/api/v1/openapi.json`
  const plain = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })
  expect(plain.headers.get('content-encoding')).toBeNull()
  // More than two hundred operations, and the bodies of webhooks.
  expect((await plain.arrayBuffer()).byteLength).toBeLessThan(600 * 1024)
  const zipped = await fetch(url, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } })
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(Number(zipped.headers.get('content-length'))).toBeLessThan(90 * 1024)
  const etag = zipped.headers.get('etag')!
  expect(etag).not.toBe(plain.headers.get('etag'))
  expect((await fetch(url, { headers: { 'If-None-Match': etag } })).status).toBe(304)
})

test('what the service fills in is marked readOnly, and what it shows once as such', () => {
  const bodyOf = (path: string, method: string) =>
    document.paths[`/api/v1/admin${path}`][method].requestBody.content['application/json'].schema
  const schema = bodyOf('/incidents/{id}', 'patch')
  const create = bodyOf('/incidents', 'post')
  for (const name of ['id', 'created_at', 'updated_at', 'updates', 'resolved_at']) {
    expect([name, schema.properties[name].readOnly]).toEqual([name, true])
    expect(create.properties).not.toHaveProperty(name)
  }
  expect(schema.properties.title.readOnly).toBeUndefined()
  const validate = document.paths['/api/v1/admin/api-tokens/validate'].post
  expect(validate.requestBody.content['application/json'].schema.properties.token.writeOnly).toBe(true)
  expect(document.components.schemas.CreatedAPIToken.properties.token['x-shown-once']).toBe(true)
})

test('each event key but those of mails alone has a webhook, and internal ones are marked', () => {
  const mails = ['subscription.confirm', 'subscription.manage', 'view.access_code']
  const keys = eventKeys.filter((key) => !mails.includes(key))
  expect(Object.keys(document.webhooks).sort()).toEqual(keys.toSorted())
  for (const key of keys) {
    const { post } = document.webhooks[key]
    const name = post.requestBody.content['application/json'].schema.$ref.split('/').at(-1)
    expect(document.components.schemas[name].properties.type.enum ?? [key]).toContain(key)
    const isPublic = isPublicKey(key) || key === 'subscription.test'
    expect([key, /^Internal/.test(post.description ?? '')]).toEqual([key, !isPublic])
  }
})

test('closed operations ask for a token, open ones do not', () => {
  for (const { path, operation } of allOperations(document)) {
    const open = !/^\/api\/v1\/(admin|orgs|org|context)(\/|$)/.test(path)
    const wanted = open ? [{}, { token: [] }] : [{ token: [] }]
    expect([path, operation.security]).toEqual([
      path,
      /\/heartbeats\/|\/ingest|\/subscriptions\/(confirm|manage|unsubscribe)$/.test(path) ? [{}] : wanted,
    ])
  }
})

test('each operation is shown with all that it refers to', async () => {
  for (const { path, method } of allOperations(document)) {
    const { spec, errors } = await resolveSubtree(document, ['paths', path, method])
    expect([method, path, errors, JSON.stringify(spec).includes('"$ref"')]).toEqual([method, path, [], false])
  }
  const { spec } = await resolveSubtree(document, ['paths', '/api/v1/admin/incidents', 'post'])
  const { schema } = (spec as Document).responses[201].content['application/json']
  expect(schema.properties.affected_items.items.properties.name.type).toBe('string')
  expect((await resolveSubtree(document, ['paths', '/nowhere'])).spec).toBeUndefined()
})

test('the docs show it', async () => {
  const anyone = service.as(undefined)
  const { status, headers, body } = await anyone.get('//api/docs')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const policy = headers.get('content-security-policy')!.split('; ')
  expect(policy).toEqual(expect.arrayContaining(["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]))
  for (const [, file] of body.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
    const { status: found, headers: of } = await anyone.get(`/${file}`)
    expect([file, found, of.get('x-content-type-options')]).toEqual([file, 200, 'nosniff'])
    const kept = /version=/.test(file!) ? 'public, max-age=31536000, immutable' : 'public, no-cache'
    expect([file, of.get('cache-control'), of.get('content-encoding')]).toEqual([file, kept, 'gzip'])
  }
  const { body: script } = await anyone.get('//api/docs/start.js')
  for (const setting of ['/api/v1/openapi.json', 'filter: true', 'persistAuthorization: true']) {
    expect(script).toContain(setting)
  }
})
