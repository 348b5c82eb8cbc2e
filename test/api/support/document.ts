// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, read as whoever gets it over HTTP would.
export type Document = any

/** The example that the document gives for the body of a request. */
export function exampleBody(document: Document, path: string, method: string): unknown {
  return document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'].example
}
