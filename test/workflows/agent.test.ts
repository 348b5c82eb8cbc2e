import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { confirmPlan } from '../../src/domain/agent/plans/operations.ts'
import { execute } from '../../src/domain/kernel/execute.ts'
import { askSilently, draftPlan, planCalls } from '../support/agent.ts'
import { processOf } from '../support/incidents.ts'
import { openSkippingProcesses, quietRuntime, type SkippingProcesses, settled } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let processes: SkippingProcesses
let service: SkippingProcesses['service']
beforeAll(async () => {
  processes = await openSkippingProcesses()
  service = processes.service
})
afterAll(() => processes?.close())

const opening = { operation: 'incidents.create', input: { title: 'Card payments fail' } }
const historyOf = async (workflowId: string): Promise<string[]> =>
  (await service.admin.get(`/admin/workflows/${workflowId}/history`)).body.events.map(
    ({ message }: { message: string }) => message,
  )

test('a plan that is not confirmed expires on time, and the history says so', async () => {
  const plan = await draftPlan(service.admin, opening)
  await processes.pass('23 hours')
  const { get } = planCalls(service.admin, plan.id)
  expect((await get()).body.status).toBe('ready')
  expect(await processOf(service, `plan:${plan.id}`)).toMatchObject({
    waiting_for: 'the confirmation, until the plan expires',
    until: plan.expires_at,
  })
  await processes.pass('2 hours')
  expect((await get()).body).toMatchObject({ status: 'expired', version: 2 })
  expect(await historyOf(`plan:${plan.id}`)).toContain(`expired at ${plan.expires_at} without a confirmation`)
  expect((await processOf(service, `plan:${plan.id}`)).state).toBe('done')
})

test('a plan that was confirmed does not expire', async () => {
  const plan = await draftPlan(service.admin, opening)
  await settled(service)
  await execute(service.services, confirmPlan, {
    ...{ page: service.page, actor: await adminActor(), requestId: 'x', input: {}, ref: { id: plan.id } },
  })
  const { get } = planCalls(service.admin, plan.id)
  await until(get, ({ body }) => body.status === 'executed')
  await processes.pass('30 hours')
  expect((await get()).body.status).toBe('executed')
  const executed = (await historyOf(`plan:${plan.id}`)).filter((message) => message.startsWith('executed'))
  expect(executed).toEqual([expect.stringMatching(/^executed step s1 \(incident \d+\): /)])
})

test('a worker answers a message and runs a confirmed plan if the API process died after the commit', async () => {
  const turn = await askSilently(service, 'What can you do?')
  const plan = await draftPlan(service.admin, { operation: 'incidents.create', input: { title: 'By the worker' } })
  await settled(service)
  const actor = await adminActor()
  await execute(service.services, confirmPlan, {
    ...{ page: service.page, actor, requestId: 'x', input: {}, ref: { id: plan.id }, silent: true },
  })
  for (const [kind, id] of [
    ['delegation', turn],
    ['plan', plan.id],
  ] as const) {
    processes.relay.wakeProcesses([{ kind, id, pageId: service.page.id }])
  }
  const answered = () => service.admin.get(`/admin/agent/delegations/turns/${turn}`)
  expect((await until(answered, ({ body }) => body.state === 'answered')).body.answer).toMatchObject({
    generated_by: 'rules',
  })
  await until(planCalls(service.admin, plan.id).get, ({ body }) => body.status === 'executed')
  const { incidents } = (await service.admin.get('/admin/incidents?search=By+the+worker')).body
  expect(incidents).toHaveLength(1)
})

/** The token of `service.admin`, as a request has it. */
async function adminActor() {
  const { api_tokens } = (await service.admin.get('/admin/api-tokens')).body
  const { id, name } = api_tokens.at(-1)
  return { kind: 'token', id, name, permission: 'admin', role_key: 'page_admin' } as const
}
