import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const path = '/admin/presets'
const preview = (body: object) => service.admin.post(`${path}/preview`, body)
const stored = async () => (await service.admin.get(path)).body.total

test('a variable that the category has is kept as it was written', async () => {
  const message = { title: '{{Monitor-Name}}', body: '{{ impacted-level-3 }} answers with {{Latest-Status-Code}}' }
  const { status, body } = await service.admin.post(path, { ...message, category: 'synthetic_critical' })
  expect([status, body]).toMatchObject([201, message])
})

test('one that it does not have is refused, naming it and those that there are', async () => {
  const before = await stored()
  const wrong = { title: '{{Monitor-Name}}', body: '{{Page-Name}} {{Nonsense}}', category: 'general' }
  for (const { status, body } of [await service.admin.post(path, wrong), await preview(wrong)]) {
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          path: 'title',
          message: '{{Monitor-Name}} is not a variable of the category general; it has {{Page-Name}}',
        },
        { path: 'body', message: '{{Nonsense}} is not a variable of the category general; it has {{Page-Name}}' },
      ],
    ])
  }
  expect(await stored()).toBe(before)
})

test('another category must have the variables that are there', async () => {
  const { id } = (await service.admin.post(path, { title: 'X', body: '{{Incident-Title}}', category: 'incident' })).body
  const one = `${path}/${id}`
  const refused = await service.admin.patch(one, { category: 'maintenance' })
  expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'body'])
  expect((await service.admin.patch(one, { body: '{{Scheduled-Start}}' })).status).toBe(400)
  const both = await service.admin.patch(one, { category: 'maintenance', body: '{{Scheduled-Start}}' })
  expect([both.status, both.body.version]).toEqual([200, 2])
})

test('the preview fills in samples, the name of the page, and what it is given', async () => {
  const before = await stored()
  const { status, body } = await preview({
    title: '{{Incident-Title}} at {{Page-Name}}',
    body: '{{impacted-level-2}}: {{Incident-Status}}',
    category: 'incident',
    values: { 'Incident-Title': '{{Incident-Status}}', 'Hierarchy-Item-Name': 'not used' },
  })
  expect([status, body]).toEqual([
    200,
    {
      title: '{{Incident-Status}} at First',
      body: 'Checkout: Degraded',
      values: {
        'Incident-Title': '{{Incident-Status}}',
        'Page-Name': 'First',
        'impacted-level-2': 'Checkout',
        'Incident-Status': 'Degraded',
      },
    },
  ])
  expect(await stored()).toBe(before)
})

test.each([
  [{ 'Monitor-Name': 'X' }, 'values.Monitor-Name'],
  [{ 'Page-Name': 1 }, 'values.Page-Name'],
  [{ 'Page-Name': 'x'.repeat(2001) }, 'values.Page-Name'],
  [Object.fromEntries(Array.from({ length: 51 }, (_one, n) => [`impacted-level-${n + 1}`, 'x'])), 'values'],
])('the preview does not take the values %#', async (values, where) => {
  const { status, body } = await preview({ title: 'X', body: 'X', category: 'incident', values })
  expect([status, body.errors[0].path]).toEqual([400, where])
})

test('the OpenAPI document lists the variables', async () => {
  const { paths } = (await service.admin.get('/openapi.json')).body
  for (const { description } of [
    paths['/api/v1/admin/presets'].post,
    paths['/api/v1/admin/presets/{id}'].patch,
    paths['/api/v1/admin/presets/preview'].post,
  ]) {
    expect(description).toContain('In incident, incident_impact: `{{Page-Name}}` (the name of the page)')
  }
})
