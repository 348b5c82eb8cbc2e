import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { messagesIn } from '../../src/mcp/stdio/server-sent-events.ts'
import { openAgentService } from '../support/agent.ts'
import { openIncident } from '../support/incidents.ts'
import { callTool, type Era } from '../support/mcp.ts'
import type { TestService } from '../support/test-service.ts'

let service: TestService
let token: string

beforeAll(async () => {
  service = await openAgentService()
  token = await service.token({ permission: 'write', roleKey: 'page_manager' })
})
afterAll(() => service.close())

async function start(env: Record<string, string>, era: Era): Promise<Client> {
  const mode = era === 'modern' ? { pin: '2026-07-28' as const } : ('legacy' as const)
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: ['src/mcp.ts'], env, stderr: 'ignore' }),
  )
  return client
}

describe.each<Era>(['modern', 'legacy'])('a client of the %s era that starts a program', (era) => {
  test('calls tools, and gets errors of operations as those of tools', async () => {
    const { id } = await openIncident(service, { title: `Störung ${era}` })
    const client = await start({ UPBEAT_URL: service.url, UPBEAT_TOKEN: token }, era)
    expect((await client.listTools()).tools).toHaveLength(11)
    const [one, two] = await Promise.all([
      callTool(client, 'read', { operation: 'incidents.get', input: { id } }),
      callTool(client, 'read', { operation: 'incidents.get', input: { id: 999_999 } }),
    ])
    expect(one.value.title).toBe(`Störung ${era}`)
    expect(two).toMatchObject({ isError: true, value: { code: 'not_found' } })
    const { contents } = await client.readResource({ uri: `upbeat://workflows/incident:${id}` })
    expect(contents).toHaveLength(1)
    const steps = [{ operation: 'incidents.resolve', input: { id } }]
    const { plan } = (await callTool(client, 'plan', { steps })).value
    expect((await callTool(client, 'apply', { plan_id: plan.id })).value.plan.status).toBe('executed')
    await client.close()
  })
})

test('a client reads why a token is refused', async () => {
  await expect(start({ UPBEAT_URL: service.url, UPBEAT_TOKEN: 'upb_wrong' }, 'legacy')).rejects.toThrow(
    'The Authorization header holds no valid API token.',
  )
})

test('a client reads that the service does not answer', async () => {
  await expect(start({ UPBEAT_URL: 'http://127.0.0.1:1', UPBEAT_TOKEN: token }, 'legacy')).rejects.toThrow(
    'The service at http://127.0.0.1:1 does not answer',
  )
})

test('a stream of events is read in any pieces, without its comments', async () => {
  const bytes = new TextEncoder().encode(
    ': alive\n\nevent: message\ndata: {"a":"ö"}\n\ndata: {"b":\r\ndata: 2}\r\n\r\n',
  )
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  const messages: unknown[] = []
  for await (const message of messagesIn(stream)) messages.push(message)
  expect(messages).toEqual([{ a: 'ö' }, { b: 2 }])
})
