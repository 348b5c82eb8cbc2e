import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, read as an HTTP client reads it.
export type Document = any

const SCOPE = '/orgs/{org_id}/pages/{page_id}'
const SLUG = '/pages/public/{page_slug}'

/** The operation that the document describes for an address: the scoped and the external ones follow from its words. */
export function operationAt(document: Document, path: string, method: string): Document | undefined {
  const plain = path.replace(SCOPE, '')
  const direct = (document.paths[plain] ?? document.paths[plain.replace(SLUG, '')])?.[method.toLowerCase()]
  if (direct) return direct
  const all = Object.values(document.paths as Record<string, Record<string, Document>>)
  return all.map((methods) => methods[method.toLowerCase()]).find((one) => one?.['x-external-path'] === plain)
}

/** Every address of an operation, by the three rules in the description of the document. */
export function addressesOf(path: string, operation: Document): string[] {
  const paths = [path, operation['x-external-path']].filter(Boolean)
  return paths.flatMap((one) =>
    one.startsWith('/api/v1/admin/') ? [one, one.replace('/api/v1/admin/', `/api/v1${SCOPE}/admin/`)] : bySlug(one),
  )
}

/** Reads that need no token; what starts with a page, needs a token or is called by a heartbeat has one address. */
const bySlug = (path: string) =>
  /^\/api\/v1\/(pages|org|context|heartbeats|external-events|subscriptions\/(confirm|manage|unsubscribe))(\/|$)/.test(
    path,
  )
    ? [path]
    : [path, path.replace('/api/v1', `/api/v1${SLUG}`)]

/** The example that the document gives for the body of a request. */
export function exampleBody(document: Document, path: string, method: string): unknown {
  return exampleRequest(document, path, method).body
}

/** The example with the headers that its type needs. */
export function exampleRequest(document: Document, path: string, method: string) {
  const content = operationAt(document, path, method)?.requestBody?.content ?? {}
  const type = Object.keys(content)[0] ?? 'application/json'
  return { body: content[type]?.example as unknown, headers: { 'Content-Type': type } }
}

/** What a reference in the document leads to. */
function resolved(document: Document, part: Document): Document {
  if (!part?.$ref) return part
  const [, ...names] = (part.$ref as string).split('/')
  return names.reduce((node, name) => node[name], document)
}

/** Every operation, its parameters, answers and body in the place of the references to them. */
export function allOperations(document: Document): { path: string; method: string; operation: Document }[] {
  return Object.entries(document.paths as Record<string, Record<string, Document>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const operation = structuredClone(described)
      operation.security ??= document.security
      operation.parameters = operation.parameters.map((one: Document) => resolved(document, one))
      for (const [status, response] of Object.entries(operation.responses)) {
        operation.responses[status] = resolved(document, response)
      }
      const body = operation.requestBody?.content['application/json']
      if (body?.schema) body.schema = resolved(document, body.schema)
      return { path, method, operation }
    }),
  )
}

/** The statuses of errors that the description of the document allows an operation. */
export function errorStatuses(method: string, operation: Document): number[] {
  const statuses = [400, 404, 429, 503]
  if (operation.security.every((one: object) => 'token' in one)) statuses.push(401, 403)
  // A view for certain readers.
  if (/^(public\.view|views\.access)/.test(operation.operationId)) statuses.push(401)
  if (method !== 'get') statuses.push(409)
  if (operation.requestBody) statuses.push(413, 415)
  if (method === 'post') statuses.push(422)
  return statuses
}

/** What is wrong with a value, by a schema of the document: nothing, or one line for each fault. */
export function schemaChecker(document: Document): (schema: object, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
    )
  }
}
