import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Client } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { showsOnce } from '../../src/domain/agent/plans/draft-steps.ts'
import { callTool, connectClient } from '../support/mcp.ts'
import { postMessage } from '../support/mcp-messages.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let token: string
let client: Client

beforeAll(async () => {
  service = await openTestService()
  token = await service.token()
  client = await connectClient(service, token)
})
afterAll(async () => {
  await client.close()
  await service.close()
})

test('every operation is a reading one or a step of a plan, except those that show a secret or are about plans', async () => {
  const { names_by_area } = (await callTool(client, 'list_operations')).value
  const listed = Object.values(names_by_area as Record<string, string[]>).flat()
  const missing = [...service.services.operations.values()].filter(({ name }) => !listed.includes(name))
  expect(missing.filter((one) => one.area !== 'agent' && !showsOnce(one))).toEqual([])
  for (const name of listed) {
    const { isError, value } = await callTool(client, 'describe_operation', { operation: name })
    expect({ name, isError, type: value.input?.type }).toEqual({ name, isError: false, type: 'object' })
  }
})

test('no input of an operation leads to an unexpected error', async () => {
  const operations = [...service.services.operations.values()]
  const codes = new Set<string>()
  for (const { name, changes } of operations) {
    for (const input of [{}, { id: 1 }, { id: 'x' }, { id: 1, title: 5, limit: 'many', cursor: 'x', view: true }]) {
      const given = changes ? { steps: [{ operation: name, input }] } : { operation: name, input }
      const { isError, value } = await callTool(client, changes ? 'plan' : 'read', given)
      if (isError) codes.add(value.code)
      if (value.code === 'internal') throw new Error(`${name} ${JSON.stringify(input)}`)
    }
  }
  expect([...codes]).toEqual(expect.arrayContaining(['invalid_request', 'not_found']))
})

test('no body leads to an unexpected error', async () => {
  const method = fc.constantFrom('tools/call', 'tools/list', 'resources/read', 'prompts/get', 'initialize', 'x')
  const params = fc.option(
    fc.record(
      { name: fc.constantFrom('read', 'apply', 'search', 'x'), uri: fc.webUrl(), arguments: fc.jsonValue() },
      { requiredKeys: [] },
    ),
    { nil: undefined },
  )
  const message = fc.record({ jsonrpc: fc.constantFrom('2.0', '1.0'), id: fc.jsonValue(), method, params })
  const body = fc.oneof(fc.jsonValue(), message, fc.array(message, { maxLength: 3 }))
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      const headers = { Authorization: `Bearer ${token}` }
      const { status } = await postMessage(service.url, JSON.stringify(value), headers)
      expect(status).toBeLessThan(500)
    }),
    { numRuns: 150 },
  )
})
