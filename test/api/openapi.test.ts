import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Validator } from '@seriousme/openapi-schema-validator'
import { pathsOf } from '../../src/api/paths.ts'
import { routes } from '../../src/api/routes/index.ts'
import { type House, openHouse } from '../support/house.ts'
import { allOperations, type Document, schemaChecker } from './support/document.ts'

let house: House
let document: Document
beforeAll(async () => {
  house = await openHouse()
  document = (await house.as(undefined).get('/openapi.json')).body
})
afterAll(() => house.close())

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

test('every route is in it, under each of its paths, and nothing else is', () => {
  const routed = routes.flatMap((route) => pathsOf(route).map((path) => `${route.method.toLowerCase()} ${path}`))
  const described = allOperations(document).map(({ method, path }) => `${method} ${path}`)
  const called = ['/api/v1/heartbeats/{token}', '/api/v1/heartbeats/{token}/{said}']
  const heartbeats = called.flatMap((path) => [`get ${path}`, `post ${path}`])
  expect(described.sort()).toEqual([...routed, ...heartbeats].sort())
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

test('every parameter of a path is described, and stands in the path', () => {
  for (const { path, operation } of allOperations(document)) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    const described = operation.parameters.filter((one: { in: string }) => one.in === 'path')
    expect([path, described.map((one: { name: string }) => one.name)]).toEqual([path, inPath])
  }
})

test('the parameters that say what a path is about are integers, whatever a body calls by the same word', () => {
  for (const { operation } of allOperations(document)) {
    for (const { name, schema } of operation.parameters) {
      if (!['org_id', 'page_id', 'id'].includes(name)) continue
      const integer = { type: 'integer', minimum: 1, maximum: 2147483647 }
      expect([operation.operationId, name, schema]).toEqual([operation.operationId, name, integer])
    }
  }
  const scoped = document.paths['/api/v1/orgs/{org_id}/pages/{page_id}/admin/page'].patch
  expect(scoped.parameters.map(({ schema }: Document) => schema.type)).toEqual(['integer', 'integer'])
  const bodyOf = ({ requestBody }: Document) => requestBody.content['application/json'].schema.properties
  expect(bodyOf(scoped)).toEqual(bodyOf(document.paths['/api/v1/admin/page'].patch))
  expect(bodyOf(scoped).page_id).toEqual({ readOnly: true })
  const item = document.paths['/api/v1/admin/hierarchy/items/external/{external_id}']
  expect(bodyOf(item.patch).external_id.readOnly).toBeUndefined()
  expect(bodyOf(item.patch).external_id).toBeDefined()
  expect(bodyOf(item.put).external_id).toBeUndefined()
})

describe('examples', () => {
  test('every body and every answer has one that its schema allows', () => {
    const check = schemaChecker(document)
    for (const { operation } of allOperations(document)) {
      const { operationId, requestBody, responses } = operation
      const contents = Object.entries({ body: requestBody, ...responses } as Record<string, Document>).flatMap(
        ([place, part]) => (part?.content ? [[place, part.content['application/json']] as const] : []),
      )
      for (const [place, content] of contents) {
        if (Number(place) >= 400) continue
        expect([operationId, place, content.example === undefined]).toEqual([operationId, place, false])
        expect([operationId, place, check(content.schema, content.example)]).toEqual([operationId, place, []])
      }
    }
  })

  test('the bodies are accepted as far as their shape goes', async () => {
    for (const { path, method, operation } of allOperations(document)) {
      const example = operation.requestBody?.content['application/json'].example
      if (!example || path.includes('{')) continue
      const { status, body } = await house.admin.request(method.toUpperCase(), path.replace('/api/v1', ''), example)
      const wrong = (body.errors ?? []).filter((error: { message: string }) =>
        /expected|is not a field|too (big|small)|must (be|match)|Invalid/.test(error.message),
      )
      expect([operation.operationId, status, wrong]).toEqual([operation.operationId, status, []])
    }
  })
})

test('what the service fills in is marked readOnly, and what it shows once as such', () => {
  const { schema } = document.paths['/api/v1/admin/incidents'].post.requestBody.content['application/json']
  for (const name of ['id', 'version', 'created_at', 'updated_at', 'updates', 'resolved_at']) {
    expect([name, schema.properties[name].readOnly]).toEqual([name, true])
  }
  expect(schema.properties.title.readOnly).toBeUndefined()
  const validate = document.paths['/api/v1/admin/api-tokens/validate'].post
  expect(validate.requestBody.content['application/json'].schema.properties.token.writeOnly).toBe(true)
  expect(document.components.schemas.CreatedAPIToken.properties.token['x-shown-once']).toBe(true)
})

test('closed operations ask for a token, open ones do not', () => {
  for (const { path, operation } of allOperations(document)) {
    const open = !/^\/api\/v1\/(admin|orgs|org|context)(\/|$)/.test(path)
    const wanted = open ? [{}, { token: [] }] : [{ token: [] }]
    expect([path, operation.security]).toEqual([path, path.includes('/heartbeats/') ? [{}] : wanted])
  }
})

test('the docs show it', async () => {
  const anyone = house.as(undefined)
  const { status, headers, body } = await anyone.get('//api/docs')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const [, file] of body.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect([file, (await anyone.get(`/${file}`)).status]).toEqual([file, 200])
  }
  expect((await anyone.get('//api/docs/start.js')).body).toContain('/api/v1/openapi.json')
})
