import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Client } from '@modelcontextprotocol/client'
import { openAgentService } from '../support/agent.ts'
import { openIncident } from '../support/incidents.ts'
import { callTool, connectClient, type Era, read } from '../support/mcp.ts'
import type { TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
let writer: string
let reader: string

beforeAll(async () => {
  service = await openAgentService()
  writer = await service.token({ permission: 'write', roleKey: 'page_manager' })
  reader = await service.token({ permission: 'read', roleKey: 'page_viewer' })
})
afterAll(() => service.close())

const READING = ['get_status', 'search', 'ask', 'explain', 'read', 'list_operations', 'describe_operation']
const WRITING = ['plan', 'answer_plan', 'apply', 'cancel_plan']
const MOST_TOOLS = 12
const MOST_TOKENS = 4000
/** A low estimate for JSON in English: the list has fewer tokens than this. */
const CHARACTERS_OF_TOKEN = 3

describe.each<Era>(['modern', 'legacy'])('a client of the %s era', (era) => {
  let client: Client

  beforeAll(async () => {
    client = await connectClient(service, writer, { era })
  })
  afterAll(() => client.close())

  test('sees few tools in a fixed order, whose list is short', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([...READING, ...WRITING])
    expect(tools.length).toBeLessThanOrEqual(MOST_TOOLS)
    expect(JSON.stringify(tools).length / CHARACTERS_OF_TOKEN).toBeLessThanOrEqual(MOST_TOKENS)
    expect((await client.listTools()).tools).toEqual(tools)
  })

  test('finds an incident, updates and resolves it by plans', async () => {
    const { id } = await openIncident(service, { title: `Payments fail in ${era}` })
    const found = await callTool(client, 'search', { query: `payment fails ${era}`, kinds: ['incident'] })
    expect(found.value.records[0]).toEqual({
      ...{ kind: 'incident', id, name: `Payments fail in ${era}` },
      ...{ state: 'open', read_with: 'incidents.get' },
    })
    const drafted = await callTool(client, 'plan', {
      steps: [
        { operation: 'incidents.updates.create', input: { id, message: 'The cause is found.' } },
        { operation: 'incidents.resolve', input: { id, resolution_message: 'Payments work.' } },
      ],
    })
    expect(drafted.value.plan).toMatchObject({ status: 'ready', questions: [], expires_at: expect.any(String) })
    expect(drafted.value.plan.steps[0].effect).toContain('The cause is found.')
    expect(await read(client, 'incidents.get', { id })).toMatchObject({ resolved_at: null, version: 1 })

    const applied = await callTool(client, 'apply', { plan_id: drafted.value.plan.id })
    expect(applied).toMatchObject({ isError: false, value: { plan: { status: 'executed' } } })
    const incident = await read(client, 'incidents.get', { id })
    expect(incident).toMatchObject({ status: 'resolved' })
    expect(incident.updates.map((one: { message: string }) => one.message)).toEqual(
      expect.arrayContaining(['The cause is found.', 'Payments work.']),
    )
    const again = await callTool(client, 'apply', { plan_id: drafted.value.plan.id })
    expect(again.value).toEqual(applied.value)
  })
})

test('a token that reads sees no writing tools, and cannot call them', async () => {
  const client = await connectClient(service, reader)
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(READING)
  const { id } = await openIncident(service)
  const steps = [{ operation: 'incidents.resolve', input: { id } }]
  expect(await callTool(client, 'plan', { steps })).toMatchObject({
    isError: true,
    value: { code: 'forbidden', error: 'The tool plan needs a token that may write, and this token only reads.' },
  })
  const { operations } = (await callTool(client, 'list_operations', { effect: 'write' })).value
  expect(operations).toEqual([])
  await client.close()
})

describe('the results of tools', () => {
  let client: Client

  beforeAll(async () => {
    client = await connectClient(service, writer)
  })
  afterAll(() => client.close())

  test('the status has open incidents, maintenance, items and reviews', async () => {
    await service.admin.post('/admin/hierarchy/items', { name: 'Checkout', depth: 1, external_id: 'checkout' })
    const { id } = await openIncident(service, {
      title: 'Cards are refused',
      status: 'major_outage',
      affected_items: [{ external_id: 'checkout' }],
    })
    await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'We look into it.' })
    const { value } = await callTool(client, 'get_status')
    expect(value).toMatchObject({
      page: { name: 'First' },
      status: 'major_outage',
      items_not_operational: [{ name: 'Checkout', status: 'major_outage' }],
      open_incidents: expect.arrayContaining([
        expect.objectContaining({
          id,
          title: 'Cards are refused',
          items: [{ id: expect.any(Number), name: 'Checkout' }],
          last_update: { at: expect.any(String), message: 'We look into it.' },
        }),
      ]),
      reviews_waiting: 0,
    })
  })

  test('the history of a process says what happened and what is due', async () => {
    const { id } = await openIncident(service, { title: 'Slow', reminder_interval_minutes: 60 })
    const explained = async () => (await callTool(client, 'explain', { kind: 'incident', id })).value
    await until(explained, ({ waiting_for }) => waiting_for !== undefined)
    expect(await explained()).toMatchObject({
      workflow_id: `incident:${id}`,
      waiting_for: expect.stringContaining('reminder'),
      history: expect.arrayContaining([expect.objectContaining({ message: expect.stringContaining('Slow') })]),
    })
    expect((await callTool(client, 'explain', { kind: 'incident', id: 999_999 })).value.state).toBe('none')
  })

  test('operations are listed by area, and found by words', async () => {
    const { value: all } = await callTool(client, 'list_operations')
    expect(all.names_by_area.incidents).toEqual(expect.arrayContaining(['incidents.list', 'incidents.resolve']))
    expect(all.names_by_area.tokens).toBeUndefined()
    const { value } = await callTool(client, 'list_operations', { words: 'skip', area: 'maintenance' })
    expect(value.operations.map((one: { name: string }) => one.name)).toContain('series.occurrences.skip')
  })

  test('the description of an operation has its input, with the id of its record and without read-only fields', async () => {
    const { value } = await callTool(client, 'describe_operation', { operation: 'incidents.update' })
    expect(value).toMatchObject({ effect: 'write', permission: 'write', permitted: true, subject: 'incident' })
    expect(Object.keys(value.input.properties)).toEqual(
      expect.arrayContaining(['id', 'external_id', 'title', 'description', 'version']),
    )
    expect(value.input.properties).not.toHaveProperty('created_at')
  })

  test('reads take ids, external ids, and values as in queries', async () => {
    const { id } = await openIncident(service, { external_id: 'inc-7' })
    expect(await read(client, 'incidents.get', { external_id: 'inc-7' })).toMatchObject({ id })
    expect(await read(client, 'items.list', { archived: true, limit: 5 })).toMatchObject({ items: [] })
    expect(await read(client, 'incidents.list', { state: 'open', limit: 1 })).toMatchObject({
      incidents: [expect.anything()],
      next_cursor: expect.any(String),
    })
  })

  test.each([
    ['read', { operation: 'incidents.get', input: {} }, 'invalid_request', 'id: is required: the id of the incident'],
    ['read', { operation: 'incidents.get', input: { id: 999_999 } }, 'not_found', 'There is no such incident'],
    ['read', { operation: 'incidents.get', input: { id: 1.5 } }, 'invalid_request', 'id: must be the id of a record'],
    ['read', { operation: 'incidents.lst' }, 'invalid_request', 'similar ones are incidents.list'],
    ['read', { operation: 'incidents.resolve', input: { id: 1 } }, 'invalid_request', 'draft it by plan'],
    ['read', { operation: 'tokens.list' }, 'forbidden', 'needs admin permission in the area tokens'],
    ['read', { operation: 'incidents.list', input: { stat: 'open' } }, 'invalid_request', 'stat: is not a field'],
    ['read', { operation: 'incidents.list', input: { search: 'a\u0000b' } }, 'invalid_request', 'cannot be stored'],
    ['plan', { steps: [] }, 'invalid_request', 'steps'],
    ['plan', { steps: [{ operation: 'incidents.create', input: {} }] }, 'invalid_request', 'steps.0.input.title'],
    ['plan', { steps: [{ operation: 'incidents.list' }] }, 'invalid_request', 'only reads'],
    ['apply', { plan_id: 999_999 }, 'not_found', 'There is no such plan'],
    ['apply', { plan_id: 1, confirm: true }, 'invalid_request', 'confirm: is not a field'],
    ['search', {}, 'invalid_request', 'query: is required'],
  ])('%s %j is refused as %s', async (name, given, code, sentence) => {
    const { isError, value } = await callTool(client, name, given)
    expect({ isError, code: value.code }).toEqual({ isError: true, code })
    expect(value.error).toContain(sentence)
  })

  test('a tool that does not exist is an error of the protocol', async () => {
    await expect(client.callTool({ name: 'delete_everything' })).rejects.toMatchObject({ code: -32602 })
  })

  test('a plan that was cancelled is not applied', async () => {
    const { id } = await openIncident(service, { title: 'Cancelled' })
    const steps = [{ operation: 'incidents.resolve', input: { id } }]
    const { plan } = (await callTool(client, 'plan', { steps })).value
    expect((await callTool(client, 'cancel_plan', { plan_id: plan.id })).value.plan.status).toBe('cancelled')
    expect(await callTool(client, 'apply', { plan_id: plan.id })).toMatchObject({
      isError: true,
      value: { code: 'plan_cancelled', error: 'The plan was cancelled.' },
    })
  })

  test('a plan whose record changed is not applied, and the answer names the change', async () => {
    const { id } = await openIncident(service, { title: 'Before' })
    const steps = [{ operation: 'incidents.resolve', input: { id } }]
    const { plan } = (await callTool(client, 'plan', { steps })).value
    await service.admin.patch(`/admin/incidents/${id}`, { title: 'After' })
    const { isError, value } = await callTool(client, 'apply', { plan_id: plan.id })
    expect({ isError, code: value.code }).toEqual({ isError: true, code: 'plan_conflicted' })
    expect(value.plan.conflicts).toEqual([expect.objectContaining({ field: 'title', was: 'Before', is: 'After' })])
  })
})
