import type { TestService } from './test-service.ts'

interface Answered {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: each test knows which answer it has.
  body: any
}

const PREFIX = 'io.modelcontextprotocol'

/** Sends messages of 2026-07-28 by hand, as a client that does not follow the protocol can. */
export function messages({ url }: Pick<TestService, 'url'>, token: string, clientCapabilities: object = {}) {
  return (method: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
    const _meta = {
      [`${PREFIX}/protocolVersion`]: '2026-07-28',
      [`${PREFIX}/clientInfo`]: { name: 'test', version: '1.0.0' },
      [`${PREFIX}/clientCapabilities`]: clientCapabilities,
    }
    const name = params.name ?? params.uri
    return postMessage(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }), {
      Authorization: `Bearer ${token}`,
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
      ...headers,
    })
  }
}

export async function postMessage(url: string, body: string, headers: Record<string, string>): Promise<Answered> {
  const response = await fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body,
  })
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.includes('json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}
