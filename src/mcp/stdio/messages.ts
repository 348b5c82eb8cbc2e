/** A JSON-RPC message of a client. */
export interface Message {
  id?: string | number
  method?: string
  params?: Record<string, unknown>
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const INTERNAL_ERROR = -32603

export const errorAnswer = (id: string | number | null, message: string, code = INTERNAL_ERROR) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

/** Messages of 2026 carry their version and name their method in headers; those of 2025 have the version of the handshake. */
export function headersOf({ method, params }: Message, legacyVersion: string | undefined): Record<string, string> {
  const version = (params?._meta as Record<string, unknown> | undefined)?.[VERSION]
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
  if (typeof version !== 'string') {
    return { ...headers, ...(legacyVersion === undefined ? {} : { 'MCP-Protocol-Version': legacyVersion }) }
  }
  const name = params?.name ?? params?.uri
  return {
    ...headers,
    'MCP-Protocol-Version': version,
    ...(method === undefined ? {} : { 'Mcp-Method': method }),
    ...(typeof name === 'string' ? { 'Mcp-Name': inHeader(name) } : {}),
  }
}

/** Header values are printable ASCII: other text is written in base64. */
const inHeader = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
