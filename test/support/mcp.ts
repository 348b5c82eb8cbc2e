import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { TestService } from './test-service.ts'

export type Era = 'modern' | 'legacy'

interface Options {
  era?: Era
  headers?: Record<string, string>
  /** The person at the client: a client with this answers forms. */
  person?: (form: ElicitRequest['params']) => ElicitResult
}

/** The official client, of 2026-07-28 or of 2025. */
export async function connectClient(
  { url }: Pick<TestService, 'url'>,
  token: string | undefined,
  { era = 'modern', headers, person }: Options = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: person ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  )
  if (person) client.setRequestHandler('elicitation/create', async ({ params }) => person(params))
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const requestInit = { headers: { ...authorization, ...headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }))
  return client
}

export interface Called {
  isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: results are described to a model, not to TypeScript.
  value: any
}

/** Calls a tool and reads the JSON of its result. */
export async function callTool(client: Client, name: string, given: Record<string, unknown> = {}): Promise<Called> {
  const result = await client.callTool({ name, arguments: given })
  const [content] = result.content
  if (content?.type !== 'text') throw new Error(JSON.stringify(result))
  return { isError: result.isError ?? false, value: JSON.parse(content.text) }
}

export const read = async (client: Client, operation: string, input: Record<string, unknown> = {}) =>
  (await callTool(client, 'read', { operation, input })).value
