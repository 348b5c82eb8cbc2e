/** The roots of the paths of triggers: the payload or its element, the headers, the metadata of the event. */

export type RootedPath =
  | { root: 'element'; path: string }
  | { root: 'body'; path: string }
  | { root: 'header'; name: string }
  | { root: 'received_at' }

export const rootsInWords =
  'must begin with $ for the payload, headers.<Header-Name>, or be event.received_at or event.payload.<path>'

export function readRoot(path: string): RootedPath | null {
  if (path.startsWith('$')) return { root: 'element', path }
  if (path === 'event.received_at') return { root: 'received_at' }
  const body = /^event\.payload(?=$|[.[])(.*)$/s.exec(path)
  if (body) return { root: 'body', path: `$${body[1]}` }
  const header = /^headers\.([\w!#$%&'*+.^`|~-]+)$/.exec(path)
  return header ? { root: 'header', name: header[1]!.toLowerCase() } : null
}

/** The JSON path that has to be compiled; null for a path that is none. */
export function jsonPathOf(path: string): string | null {
  const rooted = readRoot(path)
  return rooted?.root === 'element' || rooted?.root === 'body' ? rooted.path : null
}
