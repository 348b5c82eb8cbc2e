import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ask, draftPlan, openAgentService, planCalls } from '../support/agent.ts'
import type { Caller } from '../support/caller.ts'
import { openIncident } from '../support/incidents.ts'
import type { TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
let writer: Caller
let reader: Caller

beforeAll(async () => {
  service = await openAgentService()
  writer = service.as(await service.token({ permission: 'write', roleKey: 'page_manager' }))
  reader = service.as(await service.token({ permission: 'read', roleKey: 'page_viewer' }))
})
afterAll(() => service.close())

const opening = { operation: 'incidents.create', input: { title: 'Card payments fail' } }
const incidents = async () => (await service.admin.get('/admin/incidents?limit=100')).body.incidents
const titled = async (title: string) => (await incidents()).filter((one: { title: string }) => one.title === title)

test('a plan of given steps waits for its confirmation, and is executed once', async () => {
  const plan = await draftPlan(writer, { operation: 'incidents.create', input: { title: 'Once' } })
  expect(plan).toMatchObject({
    status: 'ready',
    steps: [
      {
        ...{ id: 's1', operation: 'incidents.create', area: 'incidents', permission: 'write', status: 'pending' },
        input: { title: 'Once' },
        effect: expect.stringContaining('Once'),
      },
    ],
    ...{ questions: [], conflicts: [], confirmed_at: null, confirmed_by: null, version: 1 },
  })
  expect(await titled('Once')).toEqual([])
  const { confirm, get } = planCalls(writer, plan.id)
  const done = await confirm()
  expect(done.status).toBe(200)
  const [incident] = await titled('Once')
  expect(done.body).toMatchObject({
    status: 'executed',
    steps: [{ status: 'done', result: { kind: 'incident', id: incident.id, version: 1 } }],
    confirmed_by: { name: 'write page_manager' },
  })
  expect(await confirm()).toMatchObject({ status: 200, body: { status: 'executed', version: done.body.version } })
  expect((await get()).body).toEqual(done.body)
  expect(await titled('Once')).toHaveLength(1)
})

test('ten callers that confirm at once get the same plan, whose steps are executed once', async () => {
  const plan = await draftPlan(writer, { operation: 'incidents.create', input: { title: 'Ten' } })
  const answers = await Promise.all(Array.from({ length: 10 }, () => planCalls(writer, plan.id).confirm()))
  expect(answers.map(({ status, body }) => [status, body.status])).toEqual(answers.map(() => [200, 'executed']))
  expect(await titled('Ten')).toHaveLength(1)
})

test('each step needs the permission of its operation, and the plan stays ready', async () => {
  const plan = await draftPlan(reader, opening)
  const refused = await planCalls(reader, plan.id).confirm()
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(refused.body.error).toBe(
    'Step s1 (incidents.create) needs write permission in the area incidents, which this token does not have.',
  )
  expect((await planCalls(reader, plan.id).get()).body.status).toBe('ready')
  expect((await planCalls(writer, plan.id).confirm()).body.status).toBe('executed')
})

test('a plan is shown only to tokens that reach as far as the token that asked', async () => {
  const plan = await draftPlan(service.admin, opening)
  const { get, cancel, respond } = planCalls(reader, plan.id)
  for (const call of [get, cancel, () => respond({ title: 'X' })]) expect(await call()).toMatchObject({ status: 403 })
  expect((await planCalls(service.admin, plan.id).get()).status).toBe(200)
})

test('a token that may do all steps of a plan of another token may read and confirm the plan', async () => {
  const plan = await draftPlan(service.admin, opening)
  const { get, confirm } = planCalls(writer, plan.id)
  expect((await get()).body).toEqual(plan)
  const async = await confirm({}, { Prefer: 'respond-async' })
  expect([200, 202]).toContain(async.status)
  await until(get, ({ body }) => body.status === 'executed')
})

test('a token that may neither do the steps nor read the plan learns nothing about the plan', async () => {
  const message = 'The plan belongs to a token with permissions that this token does not have.'
  const { body: asked } = await ask(service.admin, 'Open an incident')
  const ready = await draftPlan(service.admin, opening)
  for (const { id } of [asked.plan, ready]) {
    const refused = await planCalls(reader, id).confirm()
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden', error: message } })
    expect(refused.body.plan).toBeUndefined()
  }
  expect(await planCalls(writer, asked.plan.id).confirm()).toMatchObject({ status: 403, body: { error: message } })
})

test('a step on a record that the token may not read is refused', async () => {
  const token = await service.admin.post('/admin/api-tokens', { name: 'Hidden', permission: 'read' })
  const step = { operation: 'tokens.revoke', input: { id: token.body.id } }
  const refused = await writer.post('/admin/agent/delegations/plans', { steps: [step] })
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(refused.body.error).toBe(
    'Step s1 (tokens.revoke) needs admin permission in the area tokens, which this token does not have.',
  )
})

test('a record that changed since the draft is a conflict, which names the fields', async () => {
  const { id } = await openIncident(service, { title: 'Slow' })
  const plan = await draftPlan(writer, { operation: 'incidents.resolve', input: { id } })
  await writer.patch(`/admin/incidents/${id}`, { title: 'Very slow' })
  const { confirm, get } = planCalls(writer, plan.id)
  const refused = await confirm()
  expect(refused).toMatchObject({
    status: 409,
    body: {
      code: 'plan_conflicted',
      plan: {
        status: 'conflicted',
        conflicts: [{ kind: 'incident', id, field: 'title', was: 'Slow', is: 'Very slow' }],
      },
    },
  })
  expect(await confirm()).toMatchObject({ status: 409, body: { code: 'plan_conflicted' } })
  expect((await get()).body.status).toBe('conflicted')
  expect((await writer.get(`/admin/incidents/${id}`)).body.resolved_at).toBeNull()
})

test('a new timeline entry is a conflict, too', async () => {
  const { id } = await openIncident(service)
  const plan = await draftPlan(writer, { operation: 'incidents.resolve', input: { id } })
  await writer.post(`/admin/incidents/${id}/updates`, { message: 'Still looking' })
  expect((await planCalls(writer, plan.id).confirm()).body.plan.conflicts).toEqual([
    { kind: 'incident', id, field: 'version', was: 1, is: 2 },
  ])
})

test('a record that was deleted since the draft is a conflict', async () => {
  const { id } = await openIncident(service, { title: 'Gone' })
  const plan = await draftPlan(writer, { operation: 'incidents.resolve', input: { id } })
  await writer.del(`/admin/incidents/${id}`)
  expect(await planCalls(writer, plan.id).confirm()).toMatchObject({
    status: 409,
    body: { plan: { conflicts: [{ kind: 'incident', id, field: 'record', was: 'Gone', is: 'deleted' }] } },
  })
})

test('a step that is refused ends the plan, and the steps before stay', async () => {
  const plan = await draftPlan(
    writer,
    { operation: 'incidents.create', input: { title: 'Stays', external_id: 'stays' } },
    { operation: 'incidents.create', input: { title: 'Refused', external_id: 'stays' } },
    { operation: 'incidents.create', input: { title: 'Not run' } },
  )
  const failed = await planCalls(writer, plan.id).confirm()
  expect(failed).toMatchObject({
    status: 409,
    body: {
      code: 'plan_failed',
      plan: { status: 'failed', steps: [{ status: 'done' }, { status: 'failed' }, { status: 'skipped' }] },
    },
  })
  expect(failed.body.plan.ended_because).toMatch(
    /^Step s2 failed: .* Step s1 was done and stays\. Step s3 was not run\.$/,
  )
  expect(await titled('Stays')).toHaveLength(1)
  expect(await titled('Not run')).toEqual([])
})

test('two steps on one record follow each other', async () => {
  const { id } = await openIncident(service)
  const plan = await draftPlan(
    writer,
    { operation: 'incidents.updates.create', input: { id, message: 'Found' } },
    { operation: 'incidents.resolve', input: { id } },
  )
  expect((await planCalls(writer, plan.id).confirm()).body.status).toBe('executed')
  expect((await writer.get(`/admin/incidents/${id}`)).body.resolved_at).not.toBeNull()
})

test('a plan can be cancelled until it is confirmed', async () => {
  const plan = await draftPlan(writer, opening)
  const { cancel, confirm } = planCalls(writer, plan.id)
  expect(await cancel({ reason: 'Not needed' })).toMatchObject({
    status: 200,
    body: { status: 'cancelled', ended_because: 'Not needed' },
  })
  expect((await cancel()).status).toBe(200)
  expect(await confirm()).toMatchObject({ status: 409, body: { code: 'plan_cancelled' } })
  const executed = await draftPlan(writer, opening)
  await planCalls(writer, executed.id).confirm()
  expect(await planCalls(writer, executed.id).cancel()).toMatchObject({ status: 409, body: { code: 'conflict' } })
})

test('a plan with a version is confirmed only at this version', async () => {
  const plan = await draftPlan(writer, opening)
  expect(await planCalls(writer, plan.id).confirm({ version: 7 })).toMatchObject({
    status: 409,
    body: { code: 'version_conflict', current_version: 1 },
  })
  const done = await planCalls(writer, plan.id).confirm({ version: 1 })
  expect([done.status, done.body.status]).toEqual([200, 'executed'])
})

test('a confirmation that is repeated with its version answers the stored result', async () => {
  const plan = await draftPlan(writer, opening)
  const confirm = () => planCalls(writer, plan.id).confirm({ version: 1 })
  const answers = await Promise.all([confirm(), confirm(), confirm()])
  answers.push(await confirm())
  expect(answers.map(({ status, body }) => [status, body.steps[0].result])).toEqual(
    answers.map(() => [200, answers[0]!.body.steps[0].result]),
  )
})

test('with Prefer: respond-async the plan goes on by itself', async () => {
  const plan = await draftPlan(writer, { operation: 'incidents.create', input: { title: 'Async' } })
  const { confirm, get } = planCalls(writer, plan.id)
  const answer = await confirm({}, { Prefer: 'respond-async' })
  expect([200, 202]).toContain(answer.status)
  if (answer.status === 202) expect(answer.headers.get('location')).toMatch(new RegExp(`/plans/${plan.id}$`))
  await until(get, ({ body }) => body.status === 'executed')
  expect(await titled('Async')).toHaveLength(1)
})

test('the token that confirmed is checked again before each step', async () => {
  const created = await service.admin.post('/admin/api-tokens', { name: 'Short', permission: 'write' })
  const short = service.as(created.body.token)
  const plan = await draftPlan(short, { operation: 'incidents.create', input: { title: 'Revoked' } })
  await service.admin.post(`/admin/api-tokens/${created.body.id}/revoke`, {})
  const confirmer = { id: created.body.id, name: 'Short', permission: 'write', role_key: 'page_manager' }
  await service.services.system.em
    .fork()
    .execute(`update action_plan set status = 'executing', confirmed_at = now(), confirmer = ? where id = ?`, [
      JSON.stringify(confirmer),
      plan.id,
    ])
  service.services.wakeups.wakeProcesses([{ kind: 'plan', id: plan.id, pageId: service.page.id }])
  const ended = await until(planCalls(service.admin, plan.id).get, ({ body }) => body.status !== 'executing')
  expect(ended.body).toMatchObject({
    status: 'failed',
    steps: [{ status: 'failed', error: 'The token "Short", which confirmed the plan, is revoked.' }],
  })
  expect(await titled('Revoked')).toEqual([])
})

test.each([
  ['an unknown operation', { operation: 'incidents.destroy' }, 'steps.0.operation', /must be the name of an operation/],
  ['a reading operation', { operation: 'incidents.list' }, 'steps.0.operation', /only reads/],
  ['an operation of the agent', { operation: 'agent.plans.confirm' }, 'steps.0.operation', /plans or turns/],
  ['an operation that shows a secret once', { operation: 'tokens.create' }, 'steps.0.operation', /secret once/],
  [
    'a wrong field',
    { operation: 'incidents.create', input: { title: 'X', titel: 'Y' } },
    'steps.0.input.titel',
    /is not a field/,
  ],
  ['a missing field', { operation: 'incidents.create', input: {} }, 'steps.0.input.title', /is required/],
  [
    'a record that does not exist',
    { operation: 'incidents.resolve', input: { id: 99_999 } },
    'steps.0.input.id',
    /names no incident/,
  ],
  ['no record', { operation: 'incidents.resolve', input: {} }, 'steps.0.input.id', /is required/],
])('a plan of %s is refused', async (_name, step, path, message) => {
  const { status, body } = await writer.post('/admin/agent/delegations/plans', { steps: [step] })
  expect(status).toBe(400)
  expect(body.errors).toEqual([{ path, message: expect.stringMatching(message) }])
})

test('secrets in the input of a step are encrypted in the database and masked in answers', async () => {
  const plan = await draftPlan(service.admin, {
    operation: 'beats.create',
    input: {
      ...{ name: 'Shop', type: 'api', threshold_policies: { critical_rule: { consecutive_failures: 3 } } },
      target: { url: 'http://shop.test/', headers: { Authorization: 'Bearer s3cr3t-value-12345' } },
    },
  })
  expect(JSON.stringify(plan)).not.toContain('s3cr3t-value')
  const rows = await service.services.system.em.fork().execute('select * from action_plan where id = ?', [plan.id])
  expect(JSON.stringify(rows)).not.toContain('s3cr3t-value')
  expect((await planCalls(service.admin, plan.id).confirm()).body.status).toBe('executed')
})

test('a plan that is not confirmed expires', async () => {
  const plan = await draftPlan(writer, opening)
  service.now = new Date(Date.parse(plan.expires_at) + 1)
  const { confirm, cancel, get } = planCalls(writer, plan.id)
  expect(await confirm()).toMatchObject({ status: 409, body: { code: 'plan_expired', plan: { status: 'expired' } } })
  expect(await cancel()).toMatchObject({ status: 409, body: { code: 'plan_expired' } })
  expect((await get()).body.status).toBe('expired')
})
