import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { Json, JsonSchema } from '../domain/kernel/json-schema.ts'
import { statusOf } from '../web/errors.ts'
import { calendarPaths } from './calendar-document.ts'

import { embedPaths } from './embeds-document.ts'

import { feedPaths } from './feeds-document.ts'
import { exampleOf, fieldExamples } from './field-examples.ts'
import { heartbeatPaths } from './heartbeat-document.ts'
import { ingestPaths } from './ingest-document.ts'
import { isValue, pathsOf } from './paths.ts'
import { pathExample, requestExamples } from './request-examples.ts'
import type { Route } from './routes/route.ts'
import { schemaWriter } from './schemas.ts'
import { shareParameters, shareSchemas } from './shared-parts.ts'
import { statuspagePaths } from './statuspage-document.ts'
import { streamPaths } from './stream-document.ts'
import { webhookResponses, webhooksOf } from './webhooks-document.ts'

const errorSchema = {
  type: 'object',
  required: ['error', 'code', 'request_id'],
  properties: {
    error: { type: 'string', description: 'A sentence for people' },
    code: { type: 'string', enum: Object.keys(statusOf), description: 'A stable code for programs' },
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

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
const errorResponses = {
  Error: { description: 'The request was not carried out; `code` is the reason', content: errorContent },
}
const failures = { default: { $ref: '#/components/responses/Error' } }

const description = `Status pages whose promises are kept by durable workflows.

An error is \`{error, code, request_id}\`. Every operation can answer 400 (the request is not valid), 404 (no such record on this page), 429 (too many requests: try again after \`Retry-After\` seconds) and 503 (the database does not answer or cannot write now: try again after \`Retry-After\` seconds). An operation that needs a token can also answer 401 (no token, or an invalid token) and 403 (the token lacks the permission). An operation that changes something can also answer 409 (a conflict with the stored data: a stale version, another record, a request in flight), with a body 413 (too large) and 415 (not JSON), and a POST 422 (the \`Idempotency-Key\` was used for another request).

Lists are compact unless \`view=full\`; every other read is full and accepts \`view=full\`, too.

A page that is not open to everyone is read with a token of the page, or with the query parameter \`access\` and the token of an access link. Other readers of a page with a password get 401 with the code \`viewer_auth_required\`, and other readers of a private page get 404.

Each operation is described at one address. Four rules give the other addresses, which have the same answers:

- \`/api/v1/admin/…\` works on the host of a page, or with the token of a page. The same operation is also at \`/api/v1/orgs/{org_id}/pages/{page_id}/admin/…\` on any host.
- A read that needs no token, such as \`/api/v1/incidents\`, is also at \`/api/v1/pages/public/{page_slug}/incidents\` on any host.
- Every address that needs no token is also below \`/status/{public_slug}\` on any host, such as \`/status/acme/api/v1/incidents\`.
- A record with an \`external_id\` can also be addressed by its \`external_id\`. \`x-external-path\` is this address of an operation, such as \`/api/v1/admin/incidents/external/{external_id}/resolve\` for \`/api/v1/admin/incidents/{id}/resolve\`.`

/**
 * The OpenAPI 3.1 document of these routes, made from the schemas that validate requests. It takes a few tenths of a second, in
 * short parts, between which other requests are answered.
 */
export async function openApiDocument(routes: Route[], { baseUrl }: { baseUrl: string }): Promise<Json> {
  const writer = schemaWriter()
  const paths: Record<string, Record<string, Json>> = {
    ...(structuredClone({
      ...heartbeatPaths,
      ...ingestPaths,
      ...streamPaths,
      ...statuspagePaths,
      ...calendarPaths,
      ...feedPaths,
      ...embedPaths,
    }) as unknown as Record<string, Record<string, Json>>),
  }
  const twins = new Map(
    routes.flatMap((route) => (route.twinOf ? [[`${route.method} ${route.twinOf}`, pathsOf(route)[0]]] : [])),
  )
  for (const route of routes) {
    const [path] = pathsOf(route)
    if (route.twinOf || path === undefined) continue
    await setImmediate()
    const externalPath = route.door === 'admin' ? twins.get(`${route.method} ${route.path}`) : undefined
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = describe(route, path, externalPath, writer)
  }
  const webhooks = webhooksOf(writer)
  const schemas: Record<string, JsonSchema> = { ...writer.components, Error: structuredClone(errorSchema) }
  for (const schema of Object.values(schemas)) fieldExamples(schema)
  await shareSchemas(paths, schemas)
  const parameters = shareParameters({ ...paths, ...webhooks })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Upbeat',
      version: '1.0.0',
      description,
      license: { name: 'Proprietary', url: new URL('/api/docs', baseUrl).href },
    },
    servers: [{ url: baseUrl.replace(/\/$/, '') }],
    tags: [...new Set(routes.map((route) => route.tag)), 'Webhooks'].map((name) => ({ name })),
    security: [{ token: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An API token of the page' } },
      parameters,
      headers: { Location: { description: 'The address of the new record', schema: { type: 'string' } } },
      responses: { ...errorResponses, ...webhookResponses },
      schemas,
    },
  } as unknown as Json
}

function describe(
  route: Route,
  path: string,
  externalPath: string | undefined,
  writer: ReturnType<typeof schemaWriter>,
): Json {
  const { operation, method } = route
  const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  const input = writer.write(operation.input as z.ZodType, 'input')
  const values = named.filter((name) => isValue(name, operation))
  const inQuery = method === 'GET' || method === 'DELETE' || route.accepts !== undefined
  const { body, query } = split(input, [...values, ...ofText(route)], inQuery)
  const output = writer.write(operation.output as z.ZodType, 'output')
  fieldExamples(output)
  return {
    operationId: [operation.name, path.includes('{external_id}') && 'external'].filter(Boolean).join('.'),
    tags: [route.tag],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(externalPath ? { 'x-external-path': externalPath } : {}),
    ...(route.door === 'public' ? { security: [{}, { token: [] }] } : route.door === 'link' ? { security: [{}] } : {}),
    parameters: [
      ...named.map((name) =>
        pathParameter(operation.name, name, values.includes(name) ? input.properties?.[name] : undefined),
      ),
      ...query,
      ...(route.door === 'link' ? [{ ...linkToken }] : []),
      ...(method === 'POST' ? [{ ...idempotencyKey }] : []),
    ],
    ...(body ? { requestBody: requestBody(operation.name, body, writer) } : {}),
    ...(route.accepts ? { requestBody: textBody(operation.name, route.accepts) } : {}),
    responses: { ...successes(route, output), ...(route.door === 'link' ? linkFailures : {}), ...failures },
  } as unknown as Json
}

/** The fields that are the text of a body, or that lead through the pages of a text. */
const ofText = ({ accepts, answers }: Route) => [...(accepts ? ['csv'] : []), ...(answers ? ['cursor'] : [])]

const textBody = (operation: string, type: string) => ({
  required: true,
  content: { [type]: { schema: { type: 'string' }, example: requestExamples[operation] } },
})

function requestBody(operation: string, body: JsonSchema, writer: ReturnType<typeof schemaWriter>) {
  const example = requestExamples[operation] ?? exampleOf(body, writer.components)
  return {
    ...((body.required ?? []).length > 0 ? { required: true } : {}),
    content: { 'application/json': { schema: withoutExamples(body), example } },
  }
}

/** Removes the examples of fields: the body has one example. */
const withoutExamples = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === 'example' ? undefined : value)))

const linkToken = {
  name: 'token',
  in: 'query',
  required: true,
  description: 'The token in the link of a mail',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
}

const linkFailures = { 410: { description: 'The link has ended: `code` is `link_expired`', content: errorContent } }

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A request with the same key and body within 24 hours gets the first answer again',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
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
    ...(required.includes(name) ? { required: true } : {}),
    ...(description ? { description } : {}),
    schema,
  }))
  return { body: undefined, query }
}

const parameterSchemas: Record<string, JsonSchema> = {
  id: { type: 'integer', minimum: 1, maximum: 2147483647 },
}

function pathParameter(operation: string, name: string, value: JsonSchema | undefined) {
  const { description, ...schema } = value ?? parameterSchemas[name] ?? { type: 'string', minLength: 1 }
  const example = pathExample(operation, name)
  return { name, in: 'path', required: true, ...(description ? { description } : {}), schema, example }
}

function successes(route: Route, schema: JsonSchema) {
  if (route.answers)
    return { 200: { description: 'Done', content: { [route.answers]: { schema: { type: 'string' } } } } }
  const content = {
    'application/json': { schema },
    ...(route.people ? { 'text/html': { schema: { type: 'string', description: 'A page for people' } } } : {}),
  }
  if (route.status === 201) {
    return {
      201: {
        description: 'Created',
        headers: { Location: { $ref: '#/components/headers/Location' } },
        content,
      },
      200: { description: 'The record already existed: the stored record', content },
    }
  }
  if (route.status === 202) return { 202: { description: 'Accepted', content } }
  return {
    200: { description: 'Done', content },
    ...(route.waits ? { 202: { description: 'Accepted: read Location later', content } } : {}),
    ...(route.door === 'public' && route.method === 'GET'
      ? { 304: { description: 'Unchanged since the given ETag' } }
      : {}),
  }
}
