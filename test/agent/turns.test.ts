import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ask, openAgentService, planCalls } from '../support/agent.ts'
import type { Caller } from '../support/caller.ts'
import type { TestService } from '../support/test-service.ts'

let service: TestService
let writer: Caller
let reader: Caller

beforeAll(async () => {
  service = await openAgentService()
  writer = service.as(await service.token({ permission: 'write', roleKey: 'page_manager' }))
  reader = service.as(await service.token({ permission: 'read', roleKey: 'page_viewer' }))
  await service.admin.post('/admin/incidents', { title: 'Checkout is slow' })
})
afterAll(() => service.close())

const QUESTION = 'Which incidents are open?'
const turns = async (query = '') => (await service.admin.get(`/admin/agent/delegations/turns${query}`)).body.turns

const deliver = (caller: Caller, external_message_key: string, response_key: string, chat_app_id = 'A1') =>
  caller.post('/admin/agent/delegations/delivery', {
    response_key,
    delegating_agent: { chat_app_id },
    conversation: { external_message_key },
    chat_context: { channel_id: 'C1' },
  })

test('a question is answered, and nothing on the page changes', async () => {
  const { status, body } = await ask(reader, QUESTION, { external_message_key: 'first' })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    ...{ outcome: 'answered', transport_directive: 'delegation_post', idempotent: true, generated_by: 'rules' },
    markdown: expect.stringContaining('Checkout is slow'),
  })
  expect(body.plan).toBeUndefined()
})

test('the same message again gets the same answer, and after its delivery the directive not to post', async () => {
  const first = (await ask(reader, QUESTION, { external_message_key: 'again' })).body
  expect((await ask(reader, QUESTION, { external_message_key: 'again' })).body).toEqual(first)
  const delivery = await deliver(reader, 'again', 'posted 1')
  expect(delivery).toMatchObject({ status: 200, body: { turn_id: first.turn_id, response_key: 'posted 1' } })
  expect((await ask(reader, QUESTION, { external_message_key: 'again' })).body).toEqual({
    ...first,
    transport_directive: 'delegation_noop',
  })
  expect((await deliver(reader, 'again', 'posted 1')).body).toEqual(delivery.body)
  expect(await deliver(reader, 'again', 'posted 2')).toMatchObject({ status: 409, body: { code: 'conflict' } })
})

test('a delivery of no turn is a 404', async () => {
  expect((await deliver(reader, 'never asked', 'x')).status).toBe(404)
  await ask(reader, QUESTION, { external_message_key: 'of A1' })
  expect((await deliver(reader, 'of A1', 'x', 'A2')).status).toBe(404)
})

test('ten copies of a message at once make one turn', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => ask(reader, QUESTION, { external_message_key: 'copies' })),
  )
  expect(new Set(answers.map(({ body }) => body.turn_id)).size).toBe(1)
  const posts = answers.filter(({ body }) => body.outcome !== 'processing')
  expect(posts.length).toBeGreaterThan(0)
  for (const { body } of answers) {
    if (body.outcome !== 'processing') continue
    expect(body).toMatchObject({ transport_directive: 'delegation_noop', summary: '', markdown: '', thread_title: '' })
  }
})

test('another query under the key of a message is refused', async () => {
  await ask(reader, QUESTION, { external_message_key: 'other' })
  expect(await ask(reader, 'Is everything up?', { external_message_key: 'other' })).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused' },
  })
})

test('the key of a message belongs to its chat app', async () => {
  const one = await ask(reader, QUESTION, { external_message_key: 'apps' })
  const fields = { delegating_agent: { chat_app_id: 'A9' } }
  const other = await ask(reader, QUESTION, { external_message_key: 'apps' }, fields)
  expect(other.body.turn_id).not.toBe(one.body.turn_id)
})

test('without a message key each request is a turn of its own, and says so', async () => {
  const conversation = { external_message_key: undefined }
  const [one, two] = [await ask(reader, QUESTION, conversation), await ask(reader, QUESTION, conversation)]
  expect([one.body.idempotent, two.body.idempotent]).toEqual([false, false])
  expect(one.body.turn_id).not.toBe(two.body.turn_id)
})

test('an answer is replayed only to a token that reaches as far', async () => {
  const asked = await ask(writer, QUESTION, { external_message_key: 'reach' })
  expect(asked.status).toBe(200)
  expect(await ask(reader, QUESTION, { external_message_key: 'reach' })).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })
  expect((await ask(service.admin, QUESTION, { external_message_key: 'reach' })).body).toEqual(asked.body)
})

test('feedback is stored with the turn, and a later rating replaces an earlier one', async () => {
  const { turn_id } = (await ask(reader, QUESTION, { external_message_key: 'rated' })).body
  await deliver(reader, 'rated', 'posted rated')
  const rate = (rating: string, reason?: string) =>
    reader.post('/admin/agent/delegations/feedback', { response_key: 'posted rated', rating, reason })
  expect(await rate('positive')).toMatchObject({ status: 200, body: { turn_id, rating: 'positive' } })
  expect(await rate('negative', 'Too long')).toMatchObject({ status: 200, body: { turn_id, rating: 'negative' } })
  expect(await turns('?rating=negative')).toEqual([
    expect.objectContaining({
      id: turn_id,
      rating: 'negative',
      rating_reason: 'Too long',
      response_key: 'posted rated',
    }),
  ])
  expect((await rate('bad')).status).toBe(400)
  const unknown = { response_key: 'never posted', rating: 'positive' }
  expect((await reader.post('/admin/agent/delegations/feedback', unknown)).status).toBe(404)
})

test('turns are listed for admins with the fields of the request', async () => {
  const { turn_id } = (await ask(reader, QUESTION, { external_message_key: 'listed', external_thread_key: 'T listed' }))
    .body
  expect(await turns('?thread=T+listed')).toEqual([
    expect.objectContaining({
      ...{ id: turn_id, query: QUESTION, state: 'answered', surface: 'chat_delegated_bot' },
      asked_by: expect.objectContaining({ name: 'read page_viewer' }),
      delegating_agent: { name: 'Bot', provider: 'chat', chat_app_id: 'A1' },
      actor: { chat_team_id: 'T1', chat_user_id: 'U1' },
      conversation: { external_thread_key: 'T listed', external_message_key: 'listed' },
      answer: expect.objectContaining({ outcome: 'answered' }),
    }),
  ])
  expect((await service.admin.get(`/admin/agent/delegations/turns/${turn_id}`)).body.id).toBe(turn_id)
  expect((await writer.get('/admin/agent/delegations/turns')).status).toBe(403)
})

test('the fields of the actor grant nothing', async () => {
  const fields = { actor: { chat_user_id: 'admin' }, delegating_agent: { chat_app_id: 'A1', name: 'page_admin' } }
  const { body } = await ask(reader, 'Resolve incident 1', {}, fields)
  expect(body).toMatchObject({ outcome: 'plan_drafted', plan: { status: 'ready' } })
  expect((await planCalls(reader, body.plan.id).confirm()).status).toBe(403)
})

test('a request lacks something: the plan asks, answers complete the plan, and a later answer replaces one', async () => {
  const { body } = await ask(writer, 'Open an incident')
  expect(body).toMatchObject({
    outcome: 'needs_input',
    plan: { status: 'needs_input', steps: [], questions: [{ key: 'title', kind: 'text', required: true }] },
  })
  const { respond, confirm, get } = planCalls(writer, body.plan.id)
  expect(await confirm()).toMatchObject({ status: 409, body: { code: 'plan_needs_input' } })
  expect(await respond({ colour: 'red' })).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'answers.colour' }] },
  })
  const answered = await respond({ title: 'Logins fail' })
  expect(answered).toMatchObject({
    status: 200,
    body: { status: 'ready', steps: [{ operation: 'incidents.create', input: { title: 'Logins fail' } }] },
  })
  const replaced = await respond({ title: 'No user can log in' })
  expect(replaced.body).toMatchObject({ status: 'ready', steps: [{ input: { title: 'No user can log in' } }] })
  expect(replaced.body.version).toBeGreaterThan(answered.body.version)
  expect((await confirm()).body).toMatchObject({ status: 'executed', steps: [{ status: 'done' }] })
  expect((await get()).body.status).toBe('executed')
  expect((await writer.get('/admin/incidents?search=No+user')).body.incidents).toHaveLength(1)
})

test.each([
  ['an empty query', { query: '  ' }, 'query'],
  ['a query that is too long', { query: 'x'.repeat(4001) }, 'query'],
  ['no query', {}, 'query'],
  ['an unknown field', { query: 'x', extra: 1 }, 'extra'],
])('%s is refused', async (_name, fields, path) => {
  const { status, body } = await reader.post('/admin/agent/delegations/respond', fields)
  expect(status).toBe(400)
  expect(body.errors[0].path).toBe(path)
})

test('the capabilities are those of the token', async () => {
  const of = async (caller: Caller) => (await caller.get('/admin/agent/delegations/capabilities')).body
  const [forReader, forAdmin] = [await of(reader), await of(service.admin)]
  expect(forReader).toMatchObject({ version: 1, languages: ['en'], planner: 'rules' })
  const names = (manifest: { operations: { name: string }[] }) => manifest.operations.map(({ name }) => name)
  expect(names(forReader)).toContain('incidents.list')
  expect(names(forReader)).not.toContain('incidents.create')
  expect(names(forAdmin)).toContain('settings.update')
  expect(forReader.operations.every(({ effect }: { effect: string }) => effect === 'read')).toBe(true)
})

test('answers may be words: a time, a duration, names', async () => {
  await service.admin.post('/admin/hierarchy/items', { name: 'Checkout' })
  await service.admin.post('/admin/hierarchy/items', { name: 'Search' })
  const { body } = await ask(writer, 'Schedule maintenance titled "Index rebuild"')
  expect(body.plan.questions.map(({ key }: { key: string }) => key)).toEqual(['items', 'start', 'minutes'])
  const { respond } = planCalls(writer, body.plan.id)
  const wrong = await respond({ start: 'whenever you like' })
  expect(wrong.body.questions.find(({ key }: { key: string }) => key === 'start').prompt).toBe(
    'I could not read the answer “whenever you like”. When does the maintenance start?',
  )
  const right = await respond({ items: 'checkout and search', start: 'tomorrow at 22:00', minutes: 'two hours' })
  const [step] = right.body.steps
  expect(step.input.affected_items).toHaveLength(2)
  expect(Date.parse(step.input.scheduled_end_time) - Date.parse(step.input.scheduled_start_time)).toBe(7_200_000)
})

test('a message in the thread answers the question of its plan or changes the plan, which is replaced', async () => {
  const thread = { external_thread_key: 'replaced' }
  const first = await ask(writer, 'Open an incident', thread)
  const second = await ask(writer, 'Card payments fail', thread)
  expect(second.body).toMatchObject({
    outcome: 'plan_drafted',
    plan: { steps: [{ input: { title: 'Card payments fail' } }] },
  })
  expect((await planCalls(writer, first.body.plan.id).get()).body).toMatchObject({
    status: 'cancelled',
    ended_because: `Plan ${second.body.plan.id} replaces this plan.`,
  })
  const other = await ask(writer, 'Open an incident titled "Another one"', thread)
  expect(other.body.outcome).toBe('plan_drafted')
  expect((await planCalls(writer, second.body.plan.id).get()).body.status).toBe('ready')
})

test('"it" is the record that the last confirmed plan of the thread made', async () => {
  const thread = { external_thread_key: 'it' }
  const opened = await ask(writer, 'Open an incident titled "Logins fail"', thread)
  const { body: executed } = await planCalls(writer, opened.body.plan.id).confirm()
  const resolving = await ask(writer, 'resolve it', thread)
  expect(resolving.body.plan.steps).toMatchObject([
    { operation: 'incidents.resolve', input: { id: executed.steps[0].result.id } },
  ])
})
