import { JSONPathEnvironment, type JSONPathNode } from 'json-p3'

/** RFC 9535 without `match` and `search`, which the library runs on an engine that backtracks. The operator is `regex`. */
const environment = new JSONPathEnvironment()
environment.functionRegister.delete('match')
environment.functionRegister.delete('search')

export const compilePath = (path: string) => environment.compile(path)

/** The nodes at a path, in document order. The iteration throws if the document is nested too deeply. */
export const nodesAt = (path: string, document: unknown): Iterable<JSONPathNode> =>
  compilePath(path).lazyQuery(document as never)
