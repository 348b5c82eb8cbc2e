import type { z } from 'zod'
import { heartbeatPaths } from './heartbeat-document.ts'
import { statusOf } from './middleware/errors.ts'
import { isValue, pathsOf } from './paths.ts'
import type { Route } from './routes/route.ts'
import { exampleOf, type Json, type JsonSchema, schemaWriter } from './schemas.ts'

const errorSchema = {
  type: 'object',
  required: ['error', 'code', 'request_id'],
  properties: {
    error: { type: 'string', description: 'A sentence for a person' },
    code: { type: 'string', enum: Object.keys(statusOf), description: 'A stable word for a program' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    current_version: { type: 'integer' },
  },
}

const errorWords: Record<number, string> = {
  400: 'The request is not valid',
  401: 'No credential, or a bad one',
  403: 'The token may not do this',
  404: 'No such record on this page',
  409: 'In conflict with what is stored: a stale version, another record, a request in flight',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'The Idempotency-Key was used for another request',
  429: 'Too many requests: Retry-After says when to come again',
  503: 'The database is away: Retry-After says when to come again',
}

/** The OpenAPI 3.1 document of these routes, made from the same schemas that check the requests. */
export function openApiDocument(routes: Route[], { baseUrl }: { baseUrl: string }): Json {
  const writer = schemaWriter()
  const paths: Record<string, Record<string, Json>> = {
    ...(heartbeatPaths as unknown as Record<string, Record<string, Json>>),
  }
  for (const route of routes) {
    for (const [index, path] of pathsOf(route).entries()) {
      paths[path] ??= {}
      paths[path][route.method.toLowerCase()] = describe(route, path, index > 0, writer)
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Upbeat',
      version: '1.0.0',
      description:
        'Status pages whose promises are kept by durable workflows. Admin paths exist on a page host and, scoped by organization and page, on any host.',
      license: { name: 'Proprietary', url: new URL('/api/docs', baseUrl).href },
    },
    servers: [{ url: baseUrl.replace(/\/$/, '') }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token of the page' } },
      schemas: { ...writer.components, Error: errorSchema },
    },
  } as unknown as Json
}

function describe(route: Route, path: string, scoped: boolean, writer: ReturnType<typeof schemaWriter>): Json {
  const { operation, method } = route
  const external = path.includes('{external_id}')
  const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const input = writer.write(operation.input as z.ZodType, 'input')
  const values = named.filter((name) => isValue(name, operation))
  const { body, query } = split(input, values, method === 'GET' || method === 'DELETE')
  const output = writer.write(operation.output as z.ZodType, 'output')
  return {
    operationId: [operation.name, external && 'external', scoped && 'scoped'].filter(Boolean).join('.'),
    tags: [route.tag],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(route.door === 'public' ? { security: [{}, { token: [] }] } : { security: [{ token: [] }] }),
    parameters: [
      ...named.map((name) => pathParameter(name, values.includes(name) ? input.properties?.[name] : undefined)),
      ...query,
      ...(method === 'POST' ? [idempotencyKey] : []),
    ],
    ...(body ? { requestBody: { required: (body.required ?? []).length > 0, content: json(body, writer) } } : {}),
    responses: { ...successes(route, output, writer), ...failures(route) },
  } as unknown as Json
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key and body within 24 hours replay the first answer',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
}

function json(schema: JsonSchema, writer: ReturnType<typeof schemaWriter>) {
  return { 'application/json': { schema, example: exampleOf(schema, writer.components) } }
}

function split(input: JsonSchema, named: string[], inQuery: boolean) {
  const properties = Object.entries(input.properties ?? {}).filter(([name]) => !named.includes(name))
  const required = (input.required ?? []).filter((name) => !named.includes(name))
  if (!inQuery) {
    const body = { ...input, properties: Object.fromEntries(properties), ...(required.length > 0 ? { required } : {}) }
    if (required.length === 0) delete body.required
    return { body, query: [] }
  }
  const query = properties.map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema,
  }))
  return { body: undefined, query }
}

const parameterSchemas: Record<string, JsonSchema> = {
  id: { type: 'integer', minimum: 1, maximum: 2147483647 },
  org_id: { type: 'integer', minimum: 1, maximum: 2147483647 },
  page_id: { type: 'integer', minimum: 1, maximum: 2147483647 },
}

function pathParameter(name: string, value: JsonSchema | undefined) {
  const { description, ...schema } = value ?? parameterSchemas[name] ?? { type: 'string', minLength: 1 }
  return { name, in: 'path', required: true, ...(description ? { description } : {}), schema }
}

function successes(route: Route, output: JsonSchema, writer: ReturnType<typeof schemaWriter>) {
  const content = json(output, writer)
  if (route.status === 201) {
    return {
      201: {
        description: 'Created',
        headers: { Location: { description: 'Where the new record is', schema: { type: 'string' } } },
        content,
      },
      200: { description: 'It was there already: the stored record', content },
    }
  }
  return {
    200: { description: 'Done', content },
    ...(route.waits ? { 202: { description: 'Accepted: look at Location later', content } } : {}),
    ...(route.door === 'public' ? { 304: { description: 'Not changed since the given ETag' } } : {}),
  }
}

function failures(route: Route) {
  const statuses = [400, 401, 404, 429, 503]
  if (route.door !== 'public') statuses.push(403)
  if (route.method !== 'GET') statuses.push(409)
  if (route.method !== 'GET' && route.method !== 'DELETE') statuses.push(413, 415)
  if (route.method === 'POST') statuses.push(422)
  return Object.fromEntries(
    statuses.sort().map((status) => [
      status,
      {
        description: errorWords[status],
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}
