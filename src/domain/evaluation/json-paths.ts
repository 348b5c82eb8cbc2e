import { JSONPathEnvironment, type JSONPathNode, type JSONPathQuery } from 'json-p3'
import { boundedCache } from './bounded-cache.ts'
import { pathFunctions } from './path-functions.ts'

/** Events are less deep: 64 levels, and as many in the message of an SNS envelope. */
const DEEPEST = 200

/** RFC 9535. The library would run `match` and `search` on an engine that backtracks. */
const environment = new JSONPathEnvironment({ maxRecursionDepth: DEEPEST })
for (const [name, own] of Object.entries(pathFunctions)) environment.functionRegister.set(name, own)

/** In characters of paths. */
const MOST_CACHED = 100_000

export const compilePath = boundedCache<JSONPathQuery>(MOST_CACHED, (path) => ({
  value: environment.compile(path),
  cost: path.length + 50,
}))

/** The nodes at a path, in document order. The iteration throws if the document is nested too deeply. */
export const nodesAt = (path: string, document: unknown): Iterable<JSONPathNode> =>
  compilePath(path).lazyQuery(document as never)
