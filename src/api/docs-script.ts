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
interface Webhook {
  path: string
  operation: Operation
}
interface Layout {
  get(name: 'filter'): unknown
}
interface System {
  layoutSelectors: { currentFilter(): unknown }
}

/** Swagger UI itself filters by tags alone, leaves the found tags closed, and shows all webhooks. */
function filterPlugin() {
  const isPhrase = (filter: unknown): filter is string => typeof filter === 'string' && filter !== ''
  const includes = (text: string, phrase: string) => text.toLowerCase().includes(phrase.toLowerCase())
  function opsFilter(groups: Groups, phrase: string): Groups {
    const matches = (operation: Operation, tag: string) =>
      includes(`${tag} ${operation.get('path')} ${operation.getIn(['operation', 'summary'])}`, phrase)
    return groups
      .map((group, tag) => group.update('operations', (all) => all.filter((operation) => matches(operation, tag))))
      .filter((group) => group.get('operations').size > 0)
  }
  const isShown =
    (original: (names: string[], byDefault: boolean) => boolean) =>
    (layout: Layout, names: string[], byDefault: boolean) =>
      original(names, byDefault || (names[0] === 'operations-tag' && isPhrase(layout.get('filter'))))
  const selectWebhooksOperations =
    (original: () => Record<string, Webhook[]>, { layoutSelectors }: System) =>
    () => {
      const phrase = layoutSelectors.currentFilter()
      const all = original()
      if (!isPhrase(phrase)) return all
      const matches = ({ path, operation }: Webhook) =>
        includes(`webhooks ${path} ${operation.getIn(['operation', 'summary'])}`, phrase)
      const found = Object.entries(all).map(([name, webhooks]) => [name, webhooks.filter(matches)] as const)
      return Object.fromEntries(found.filter(([, webhooks]) => webhooks.length > 0))
    }
  const statePlugins = {
    layout: { wrapSelectors: { isShown } },
    spec: { wrapSelectors: { selectWebhooksOperations } },
  }
  return { fn: { opsFilter }, statePlugins }
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
  plugins: [${filterPlugin}, { fn: { resolveSubtree: ${resolveSubtree} } }],
})
`
