import { JSONPathEnvironment, type JSONPathNode } from 'json-p3'

/** RFC 9535, without `match` and `search`: the library runs them on an engine that backtracks; `regex` is the operator. */
const environment = new JSONPathEnvironment()
environment.functionRegister.delete('match')
environment.functionRegister.delete('search')

export const compilePath = (path: string) => environment.compile(path)

/** What a path finds, in document order. Throws while it is read where the document is nested too deeply for the path. */
export const nodesAt = (path: string, document: unknown): Iterable<JSONPathNode> =>
  compilePath(path).lazyQuery(document as never)
