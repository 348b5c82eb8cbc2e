/**
 * The script of the docs page. The two functions are sent to the browser as source text, so they use only their arguments.
 */

type Json = Record<string, unknown>
interface Group {
  get(name: 'operations'): { size: number }
  update(name: 'operations', change: (operations: Operations) => Operations): Group
}
interface Groups {
  map(change: (group: Group, tag: string) => Group): Groups
  filter(keep: (group: Group) => boolean): Groups
}
interface Operations {
  filter(keep: (operation: Operation) => boolean): Operations
}
interface Operation {
  get(name: 'path'): string
  getIn(path: ['operation', 'summary']): string
}

/** Swagger UI itself filters by tags alone. */
function opsFilter(groups: Groups, phrase: string): Groups {
  const wanted = phrase.toLowerCase()
  const matches = (operation: Operation, tag: string) =>
    `${tag} ${operation.get('path')} ${operation.getIn(['operation', 'summary'])}`.toLowerCase().includes(wanted)
  return groups
    .map((group, tag) => group.update('operations', (all) => all.filter((operation) => matches(operation, tag))))
    .filter((group) => group.get('operations').size > 0)
}

/**
 * Replaces the function of Swagger UI, which reads the whole document for each opened operation and takes seconds. The
 * document refers only to its own parts. A recursive part ends at its repetition.
 */
export async function resolveSubtree(document: Json, path: string[]): Promise<{ spec: unknown; errors: [] }> {
  const at = (names: string[]) => names.reduce<unknown>((part, name) => (part as Json | undefined)?.[name], document)
  const resolved = (part: unknown, open: string[]): unknown => {
    if (Array.isArray(part)) return part.map((one) => resolved(one, open))
    if (part === null || typeof part !== 'object') return part
    const { $ref, ...others } = part as Json
    if (typeof $ref !== 'string') {
      return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, resolved(inner, open)]))
    }
    if (open.includes($ref)) return {}
    const names = $ref.slice(2).split('/')
    return { ...(resolved(at(names), [...open, $ref]) as Json), ...others }
  }
  return { spec: resolved(at(path), []), errors: [] }
}

export const docsScript = `SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: true,
  showExtensions: true,
  plugins: [{ fn: { opsFilter: ${opsFilter}, resolveSubtree: ${resolveSubtree} } }],
})
`
