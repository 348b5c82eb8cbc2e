import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, read as whoever gets it over HTTP would.
export type Document = any

/** The example that the document gives for the body of a request. */
export function exampleBody(document: Document, path: string, method: string): unknown {
  return document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'].example
}

export function allOperations(document: Document): { path: string; method: string; operation: Document }[] {
  return Object.entries(document.paths as Record<string, Record<string, Document>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
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
