import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createRequestStateCodec, McpServer } from '@modelcontextprotocol/server'
import Koa from 'koa'
import { z } from 'zod'
import { type Endpoint, openEndpoint } from '../../src/mcp/endpoint.ts'
import { isOwnOrigin } from '../../src/mcp/own-origin.ts'
import { addAskingTools } from './asking-tools.ts'
import { addPlainTools } from './plain-tools.ts'
import { addPrompts, addResources } from './records.ts'

const makeCodec = () => createRequestStateCodec<{ round: number; name?: string }>({ key: randomBytes(32) })
export type StateCodec = ReturnType<typeof makeCodec>

/** The endpoint of the service with the tools, resources and prompts that the conformance suite calls. */
export async function openFixture(): Promise<{ url: string; close(): Promise<void> }> {
  const codec = makeCodec()
  const endpoint: Endpoint = openEndpoint(() => makeServer(codec, () => endpoint.handler.notify), {
    logger: { info() {} } as never,
    maxSubscriptions: 10,
  })
  const app = new Koa()
  let url = ''
  app.use(async (ctx) => {
    const origin = ctx.get('Origin')
    if (origin !== '' && !isOwnOrigin(origin, { baseUrl: url, baseDomain: undefined })) ctx.throw(403)
    await endpoint.answer(ctx)
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  return {
    url,
    async close() {
      await endpoint.handler.close()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function makeServer(codec: StateCodec, notify: () => Endpoint['handler']['notify']): McpServer {
  const changes = { listChanged: true }
  const server = new McpServer(
    { name: 'upbeat-conformance', version: '1.0.0' },
    {
      capabilities: {
        ...{ tools: changes, prompts: changes, resources: { ...changes, subscribe: true } },
        ...{ logging: {}, completions: {} },
      },
      requestState: { verify: codec.verify },
    },
  )
  addPlainTools(server)
  addAskingTools(server, codec)
  addResources(server)
  addPrompts(server)
  const trigger = (name: string, publish: () => void) =>
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, async () => {
      publish()
      return { content: [{ type: 'text', text: 'published' }] }
    })
  trigger('test_trigger_tool_change', () => notify().toolsChanged())
  trigger('test_trigger_prompt_change', () => notify().promptsChanged())
  server.server.setRequestHandler('logging/setLevel', async () => ({}))
  server.server.setRequestHandler('completion/complete', async () => ({ completion: { values: [], total: 0 } }))
  return server
}
