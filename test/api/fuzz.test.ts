import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc, { type Arbitrary } from 'fast-check'
import { linksFor } from '../../src/domain/subscribers/links.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { anything, wild } from './support/arbitraries.ts'
import { addressesOf, allOperations, type Document, errorStatuses, schemaChecker } from './support/document.ts'
import { fillIn, makeRecords, scopedTo } from './support/records.ts'

/** Change it to look elsewhere; a failure says under which seed and path it is found again. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)
const RUNS_PER_OPERATION = Number(process.env.FUZZ_RUNS ?? 6)

let service: TestService
let document: Document
let token: string
let check: ReturnType<typeof schemaChecker>
let links: Record<string, string>
beforeAll(async () => {
  service = await openTestService()
  if (process.env.FUZZ_LOG) service.services.logger.level = process.env.FUZZ_LOG
  await makeRecords(scopedTo(service.admin, service.page), 'one')
  document = (await service.admin.get('/openapi.json')).body
  check = schemaChecker(document)
  const { subscribers } = (await service.admin.get('/admin/subscribers?channel=email')).body
  const address = 'reader@example.com'
  const pending = { id: subscribers[0].id, address, state: 'pending', confirmation_number: 0 } as const
  links = linksFor(service.services, service.page, pending, service.now)
  token = await service.token()
  // The newest are what is revoked and deleted; this test must not lose what it lives on.
  for (let n = 0; n < 40; n += 1) await service.token()
})
afterAll(() => service.close())

interface Try {
  /** What stands for the parameters of the path, in their order; the newest record where nothing does. */
  segments: (string | undefined)[]
  query: string
  body: unknown
  key: string | undefined
}

/** Once in so many times. */
const rarely = <T>(times: number, arbitrary: Arbitrary<T>) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** Longer ones than this are refused by Node, before there is a request. */
const LONGEST = 2000
const asText = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')).slice(0, LONGEST).toWellFormed()

const segment = fc
  .oneof(fc.string({ unit: 'binary' }), fc.integer().map(String), wild.map(asText))
  .map((value) => encodeURIComponent(value.toWellFormed()))
  .filter((value) => value !== '' && !/^(\.|%2e){1,2}$/i.test(value))

/** As many parameters as any path has. */
const MOST_SEGMENTS = 6

const parametersIn = (place: string, operation: Document): Document[] =>
  operation.parameters.filter((one: Document) => one.in === place)

/** The token of a link, for the operations that a link calls. */
const tokenAt = (path: string) => new URL(links[path.split('/').at(-1)!]!).searchParams.get('token')!

function tryOf(path: string, operation: Document): Arbitrary<Try> {
  const inQuery = parametersIn('query', operation)
  const [content] = Object.values<Document>(operation.requestBody?.content ?? {})
  const schema = content?.schema
  return fc
    .record({
      segments: fc.array(rarely(20, segment), { minLength: MOST_SEGMENTS, maxLength: MOST_SEGMENTS }),
      said: fc.tuple(...inQuery.map((one) => rarely(3, anything(one.schema, document)))),
      surplus: rarely(20, fc.string({ unit: 'binary' })),
      body: schema ? anything(schema, document) : fc.constant(undefined),
      key: rarely(5, fc.uuid()),
    })
    .map(({ segments, said, surplus, body, key }) => {
      const query = new URLSearchParams()
      for (const [index, value] of said.entries()) {
        const { name } = inQuery[index]
        if (value !== undefined) query.append(name, asText(value))
        else if (name === 'token') query.append(name, tokenAt(path))
      }
      if (surplus !== undefined) query.append(surplus.toWellFormed(), 'x')
      return { segments, query: String(query), body, key }
    })
}

const PREFIX = /^\/api\/v1(\/admin|\/orgs\/\{org_id\}\/pages\/\{page_id\}\/admin)?/

async function pathOf(path: string, { segments, query }: Try): Promise<string> {
  const [prefix = ''] = PREFIX.exec(path) ?? []
  const { page } = service
  const filled = (await fillIn(path.slice(prefix.length), scopedTo(service.admin, page), document)).split('/')
  const all = [...prefix.split('/'), ...filled.slice(1)]
  const own: Record<string, string> = { '{org_id}': `${page.organization_id}`, '{page_id}': `${page.id}` }
  const names = [...path.matchAll(/\{\w+\}/g)].map(([name]) => name)
  const parts = path.split('/').map((part, index) => {
    const odd = segments[names.indexOf(part)]
    return part.startsWith('{') ? (odd ?? own[part] ?? all[index]!) : part
  })
  return `${parts.join('/')}${query && `?${query}`}`.replace('/api/v1', '')
}

const succeeded = new Set<string>()

async function hold(path: string, method: string, operation: Document, one: Try) {
  const [type = 'application/json'] = Object.keys(operation.requestBody?.content ?? {})
  const headers = { 'Content-Type': type, ...(one.key === undefined ? {} : { 'Idempotency-Key': one.key }) }
  const isJson = type === 'application/json'
  const sent = one.body === undefined ? undefined : isJson ? JSON.stringify(one.body) : asText(one.body)
  const answer = await service.as(token).request(method, await pathOf(path, one), sent, headers)
  const { status } = answer
  const documented = operation.responses[status] || errorStatuses(method.toLowerCase(), operation).includes(status)
  if (!documented) throw new Error(`${status} is not documented`)
  expect(answer.headers.get('x-request-id')).toBeTruthy()
  const described = (operation.responses[status] ?? operation.responses.default).content?.['application/json']?.schema
  if (described) expect(check(described, answer.body)).toEqual([])
  if (status >= 400) expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'))
  if (status === 400) expect(answer.body.errors.length).toBeGreaterThan(0)
  if (status < 300) succeeded.add(operation.operationId)
}

/** One handler is behind all addresses of an operation: some are tried at one of them, some at another. */
const addressed = (operations: ReturnType<typeof allOperations>) =>
  operations.map(({ path, ...rest }, index) => {
    const addresses = addressesOf(path, rest.operation)
    return { path: addresses[index % addresses.length]!, ...rest }
  })

test('nothing that a client sends is answered with anything but what is documented', async () => {
  // The answer of a stream has no end. Addresses for programs ignore what they do not know, and have tests of their own.
  const finite = allOperations(document).filter(
    ({ path, operation }) => operation.operationId !== 'public.stream' && path.startsWith('/api/v1/'),
  )
  const operations = addressed(finite)
  for (const [index, { path, method, operation }] of operations.entries()) {
    const property = fc.asyncProperty(tryOf(path, operation), (one) => hold(path, method.toUpperCase(), operation, one))
    await fc
      .assert(property, { seed: SEED + index, numRuns: RUNS_PER_OPERATION, endOnFailure: true })
      .catch((error) => {
        throw new Error(`${method} ${path} (FUZZ_SEED=${SEED}): ${error.message}`, { cause: error })
      })
  }
  // A test whose requests are all refused finds nothing.
  expect(succeeded.size / operations.length).toBeGreaterThan(0.65)
  expect((await scopedTo(service.as(token), service.page).get('/page')).status).toBe(200)
})
