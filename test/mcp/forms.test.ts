import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client'
import { openAgentService } from '../support/agent.ts'
import { openIncident } from '../support/incidents.ts'
import { callTool, connectClient } from '../support/mcp.ts'
import { messages } from '../support/mcp-messages.ts'
import type { TestService } from '../support/test-service.ts'

let service: TestService
let writer: string

beforeAll(async () => {
  service = await openAgentService()
  writer = await service.token({ permission: 'write', roleKey: 'page_manager' })
})
afterAll(() => service.close())

const resolvedAt = async (id: number) => (await service.admin.get(`/admin/incidents/${id}`)).body.resolved_at

async function draftResolve(token = writer) {
  const { id } = await openIncident(service, { title: 'Slow' })
  const client = await connectClient(service, token)
  const steps = [{ operation: 'incidents.resolve', input: { id } }]
  const { plan } = (await callTool(client, 'plan', { steps })).value
  await client.close()
  return { id, plan }
}

async function applyWith(answer: ElicitResult) {
  const { id, plan } = await draftResolve()
  const forms: ElicitRequest['params'][] = []
  const client = await connectClient(service, writer, {
    person: (form) => {
      forms.push(form)
      return answer
    },
  })
  const result = await callTool(client, 'apply', { plan_id: plan.id })
  await client.close()
  return { id, plan, result, forms }
}

test('a person at the client sees the effects in the words of the service before a plan is applied', async () => {
  const { id, plan, result, forms } = await applyWith({ action: 'accept', content: { confirm: true } })
  expect(forms).toEqual([expect.objectContaining({ message: `Apply plan ${plan.id}?\n1. ${plan.steps[0].effect}` })])
  expect(result).toMatchObject({ isError: false, value: { plan: { status: 'executed' } } })
  expect(await resolvedAt(id)).not.toBeNull()
})

test.each<[string, ElicitResult]>([
  ['declines', { action: 'decline' }],
  ['closes the form', { action: 'cancel' }],
  ['accepts without a field', { action: 'accept', content: {} }],
  ['accepts and does not confirm', { action: 'accept', content: { confirm: false } }],
])('a person who %s has applied nothing', async (_name, answer) => {
  const { id, result } = await applyWith(answer)
  expect(result).toMatchObject({ isError: false, value: { applied: false, plan: { status: 'ready' } } })
  expect(await resolvedAt(id)).toBeNull()
})

test('a token that may do the steps of a plan of another token sees the effects', async () => {
  const administrator = await service.token({ permission: 'admin', roleKey: 'page_admin' })
  const { plan } = await draftResolve(administrator)
  const client = await connectClient(service, writer, { person: () => ({ action: 'decline' }) })
  const result = await callTool(client, 'apply', { plan_id: plan.id })
  await client.close()
  expect(result).toMatchObject({ isError: false, value: { applied: false, plan: { id: plan.id, status: 'ready' } } })
})

test('drafting asks nothing where a plan has no questions, and applies nothing', async () => {
  const { id } = await openIncident(service)
  const client = await connectClient(service, writer, {
    person: () => {
      throw new Error('no form was expected')
    },
  })
  const { value } = await callTool(client, 'plan', { steps: [{ operation: 'incidents.resolve', input: { id } }] })
  expect(value.plan.status).toBe('ready')
  expect(await resolvedAt(id)).toBeNull()
  await client.close()
})

const person = { elicitation: { form: {} } }
const agreed = { form: { action: 'accept', content: { confirm: true } } }
const apply = (plan_id: number, more: object = {}) => ({ name: 'apply', arguments: { plan_id }, ...more })

test('a form that is sent twice executes its plan once, and both answers are the same', async () => {
  const { plan } = await draftResolve()
  const send = messages(service, writer, person)
  const asked = await send('tools/call', apply(plan.id))
  expect(asked.body.result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) })
  const { requestState } = asked.body.result
  const first = await send('tools/call', apply(plan.id, { requestState, inputResponses: agreed }))
  expect(first.body.result.isError).toBeUndefined()
  const second = await send('tools/call', apply(plan.id, { requestState, inputResponses: agreed }))
  expect(second.body.result).toEqual(first.body.result)
})

test('a form of another plan, another token or another time is refused, and so is a forged one', async () => {
  const [one, two] = [await draftResolve(), await draftResolve()]
  const send = messages(service, writer, person)
  const { requestState } = (await send('tools/call', apply(one.plan.id))).body.result
  const answer = (plan_id: number, state: string, by = send) =>
    by('tools/call', apply(plan_id, { requestState: state, inputResponses: agreed }))
  const stranger = messages(service, await service.token({ permission: 'write', roleKey: 'page_manager' }), person)
  const forged = `${requestState.slice(0, -4)}AAAA`
  for (const refused of [
    await answer(two.plan.id, requestState),
    await answer(one.plan.id, forged),
    await answer(one.plan.id, 'x'),
    await answer(one.plan.id, requestState, stranger),
  ]) {
    expect(refused.body.error.code).toBe(-32602)
  }
  // An acceptance without the state of a form asks again.
  const bare = await send('tools/call', apply(one.plan.id, { inputResponses: agreed }))
  expect(bare.body.result.resultType).toBe('input_required')
  for (const { id } of [one, two]) expect(await resolvedAt(id)).toBeNull()
})

test('the questions of a plan are a form, and its answers only complete the plan', async () => {
  const forms: ElicitRequest['params'][] = []
  const client = await connectClient(service, writer, {
    person: (form) => {
      forms.push(form)
      return { action: 'accept', content: { title: 'Logins fail' } }
    },
  })
  const { value } = await callTool(client, 'ask', { question: 'Please open an incident' })
  expect(forms).toEqual([
    expect.objectContaining({
      requestedSchema: expect.objectContaining({
        properties: { title: expect.objectContaining({ type: 'string' }) },
        required: ['title'],
      }),
    }),
  ])
  expect(value.plan).toMatchObject({ status: 'ready', steps: [{ input: { title: 'Logins fail' }, status: 'pending' }] })
  expect((await service.admin.get('/admin/incidents?search=Logins')).body.incidents).toEqual([])
  await client.close()
})

test('a client without forms gets the plan and its questions at once', async () => {
  const client = await connectClient(service, writer)
  const { value } = await callTool(client, 'ask', { question: 'Please open an incident' })
  expect(value).toMatchObject({ outcome: 'needs_input', plan: { questions: [{ key: 'title' }] } })
  const answered = await callTool(client, 'answer_plan', { plan_id: value.plan.id, answers: { title: 'Mail is late' } })
  expect(answered.value.plan).toMatchObject({ status: 'ready', steps: [{ input: { title: 'Mail is late' } }] })
  await client.close()
})
