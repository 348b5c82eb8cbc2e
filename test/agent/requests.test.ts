import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ask, openAgentService, planCalls } from '../support/agent.ts'
import { makeBeat } from '../support/beats.ts'
import type { Caller } from '../support/caller.ts'
import type { TestService } from '../support/test-service.ts'

let service: TestService
let writer: Caller

beforeAll(async () => {
  service = await openAgentService()
  writer = service.as(await service.token({ permission: 'write', roleKey: 'page_manager' }))
  for (const name of ['Checkout', 'Search']) await service.admin.post('/admin/hierarchy/items', { name })
  for (const title of ['Logins fail', 'Mails are late']) await service.admin.post('/admin/incidents', { title })
  await makeBeat(service, { name: 'Payments ping' })
})
afterAll(() => service.close())

test('a mute that is too long is answered with the reason', async () => {
  const { body } = await ask(writer, 'Mute the beat Payments ping for 400 days', { external_thread_key: undefined })
  expect(body).toMatchObject({ outcome: 'answered', summary: expect.stringMatching(/^I cannot do this: The minutes /) })
})

test('a request that an operation refuses is answered with the reason', async () => {
  const query = `Open an incident titled "${'x'.repeat(301)}"`
  const { body } = await ask(writer, query, { external_thread_key: undefined })
  expect(body).toMatchObject({ outcome: 'answered', summary: expect.stringMatching(/^I cannot do this: The title /) })
  expect(body.plan).toBeUndefined()
})

test('"it" is no record that was deleted', async () => {
  const thread = { external_thread_key: 'deleted' }
  const { id } = (await service.admin.post('/admin/incidents', { title: 'Deleted soon' })).body
  expect((await ask(writer, `What about incident ${id}?`, thread)).body.summary).toMatch(/^Deleted soon is open/)
  await service.admin.del(`/admin/incidents/${id}`)
  for (const query of ['is it resolved?', 'resolve it']) {
    const { body } = await ask(writer, query, thread)
    expect(body.outcome).not.toBe('processing')
    expect(body.plan?.steps ?? []).toEqual([])
  }
})

test('an answer that an operation refuses leaves its question open with the reason', async () => {
  const { body } = await ask(writer, 'Open an incident', { external_thread_key: undefined })
  const { respond } = planCalls(writer, body.plan.id)
  const refused = await respond({ title: 'x'.repeat(301) })
  expect(refused).toMatchObject({ status: 200, body: { status: 'needs_input', steps: [] } })
  expect(refused.body.questions).toEqual([
    expect.objectContaining({
      key: 'title',
      prompt: expect.stringMatching(/^I cannot do this: The title .* What is the title of the incident\?$/),
    }),
  ])
  expect((await respond({ title: 'Short' })).body).toMatchObject({ status: 'ready', questions: [{ answer: 'Short' }] })
})

test.each([
  ['pause Payments ping for 2 hours', /^I cannot pause a beat for a time .* “for 2 hours”/],
  ['resolve incident 1 at 18:00', /^I cannot resolve an incident for a time .* “at 18:00”/],
])('%s is refused, because the request takes no time', async (query, summary) => {
  const { body } = await ask(writer, query, { external_thread_key: undefined })
  expect(body).toMatchObject({ outcome: 'answered', summary: expect.stringMatching(summary) })
})

test('a time that was not read is asked for, also after other answers', async () => {
  const query = 'Set Checkout to major outage until next friday'
  const { body } = await ask(writer, query, { external_thread_key: undefined })
  const keys = ({ questions }: { questions: { key: string }[] }) => questions.map(({ key }) => key)
  expect(keys(body.plan)).toEqual(['reason', 'until'])
  expect(body.plan.questions[1].prompt).toBe('I could not read the time “until next friday”. Until when?')
  const { respond } = planCalls(writer, body.plan.id)
  expect((await respond({ reason: 'Fire' })).body).toMatchObject({ status: 'needs_input', steps: [] })
  const ready = await respond({ until: 'tomorrow at 18:00' })
  expect(ready.body).toMatchObject({ status: 'ready', steps: [{ input: { until: expect.any(String) } }] })
})

test('an answer to the question for an ambiguous item keeps the other items', async () => {
  for (const name of ['Gateway Europe', 'Gateway Asia']) await service.admin.post('/admin/hierarchy/items', { name })
  const query = 'Open an incident titled "Slow" on Search and on the gateway'
  const { body } = await ask(writer, query, { external_thread_key: undefined })
  expect(body.plan.questions).toMatchObject([{ key: 'items' }])
  const { respond } = planCalls(writer, body.plan.id)
  const items = async (answer: string) => (await respond({ items: answer })).body.steps[0].input.affected_items
  expect(await items('Gateway Asia')).toHaveLength(2)
  expect(await items('Checkout')).toHaveLength(1)
})

test('a correction behind an executed plan changes the record that the plan created', async () => {
  const thread = { external_thread_key: 'corrected' }
  const asked = await ask(writer, 'Schedule maintenance on Search tomorrow at 22:00 for an hour titled "Index"', thread)
  const { body: executed } = await planCalls(writer, asked.body.plan.id).confirm()
  const { body } = await ask(writer, 'in 3 days at 20:00 instead', thread)
  expect(body.plan.steps).toMatchObject([
    { operation: 'maintenances.update', input: { id: executed.steps[0].result.id } },
  ])
})

test.each([
  ['Checkout is slow', 'Checkout is slow'],
  ['Payments do not work.', 'Payments do not work.'],
  ['"Cards are declined"', 'Cards are declined'],
])('%s answers an open question for a text', async (query, title) => {
  const thread = { external_thread_key: `title ${title}` }
  await ask(writer, 'Open an incident', thread)
  expect((await ask(writer, query, thread)).body).toMatchObject({ plan: { steps: [{ input: { title } }] } })
})

test.each([
  ['Is Checkout slow?'],
  ['which incidents are open'],
  ['do not open it'],
  ['resolve incident 1'],
  ['thanks!'],
])('%s answers no open question', async (query) => {
  const thread = { external_thread_key: `no title ${query}` }
  const first = await ask(writer, 'Open an incident', thread)
  await ask(writer, query, thread)
  expect((await planCalls(writer, first.body.plan.id).get()).body.status).toBe('needs_input')
})

test('titles are plain text in summaries and effects, escaped in markdown, and mention no channel', async () => {
  const title = '*Fire* in <!channel> @here'
  const { id } = (await service.admin.post('/admin/incidents', { title })).body
  const shown = '*Fire* in <\u200b!channel> @\u200bhere'
  const asked = await ask(writer, `What about incident ${id}?`, { external_thread_key: undefined })
  expect(asked.body).toMatchObject({ thread_title: shown, summary: expect.stringContaining(shown) })
  expect(asked.body.markdown).toContain('\\*Fire\\* in \\<\u200b!channel\\> @\u200bhere')
  const planned = await ask(writer, `Resolve incident ${id}`, { external_thread_key: undefined })
  const effect = `Resolves the incident “${shown}” (${id}).`
  expect(planned.body).toMatchObject({ summary: effect, plan: { summary: effect, steps: [{ effect }] } })
  expect(planned.body.markdown).toContain('\\*Fire\\*')
})
