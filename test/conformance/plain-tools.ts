import { type CallToolResult, fromJsonSchema, type McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The names and the results that the scenarios expect of tools which answer at once. */

export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (value: string) => ({ type: 'text', text: value }) as const
const embedded = (uri: string, mimeType: string, value: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: value } }) as const

const results: Record<string, CallToolResult['content']> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }],
  test_audio_content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }],
  test_embedded_resource: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    { type: 'image', data: PIXEL, mimeType: 'image/png' },
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  test_streaming_elicitation: [text('One result and no request.')],
}

const contact = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const region = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } },
}

export function addPlainTools(server: McpServer): void {
  for (const [name, content] of Object.entries(results)) {
    server.registerTool(name, { description: name }, async () => ({ content }))
  }
  server.registerTool('test_error_handling', { description: 'Fails' }, async () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Takes a schema of the draft 2020-12', inputSchema: fromJsonSchema(contact) },
    async () => ({ content: [text('valid')] }),
  )
  server.registerTool(
    'test_x_mcp_header',
    { description: 'Has an argument in a header', inputSchema: fromJsonSchema<{ region?: string }>(region) },
    async ({ region: given = 'none' }) => ({ content: [text(given)] }),
  )
  addNotifyingTools(server)
}

const nothing = z.object({})

function addNotifyingTools(server: McpServer): void {
  server.registerTool(
    'test_tool_with_logging',
    { description: 'Writes three log messages', inputSchema: nothing },
    async (_given, { mcpReq }) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
      }
      return { content: [text('done')] }
    },
  )
  server.registerTool(
    'test_logging_tool',
    { description: 'Writes a log message if the request wants them', inputSchema: nothing },
    async (_given, { mcpReq }) => {
      await mcpReq.log('info', 'running')
      return { content: [text('done')] }
    },
  )
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Reports its progress', inputSchema: nothing },
    async (_given, ctx) => ({ content: [text(await reportProgress(ctx))] }),
  )
}

async function reportProgress({ mcpReq }: ServerContext): Promise<string> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return 'no progress token'
  for (const progress of [0, 50, 100]) {
    await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
  }
  return String(progressToken)
}
