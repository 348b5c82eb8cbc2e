import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { providerTypes } from '../../src/domain/ingest/triggers/templates/index.ts'
import type { TriggerTemplate } from '../../src/domain/ingest/triggers/templates/schema.ts'
import { evaluate, eventOf, makeEndpoint, makeEventBeat, send, stageOf } from '../support/ingest.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { sequences } from './template-events.ts'

let service: TestService
let templates: TriggerTemplate[]
beforeAll(async () => {
  service = await openTestService()
  const { status, body } = await service.admin.get('/admin/external-triggers/templates')
  expect(status).toBe(200)
  templates = body.templates
})
afterAll(() => service?.close())

/** A draft as the template has it, enabled after the example of the template was sent. */
async function connect(template: TriggerTemplate) {
  const { id, token } = await makeEndpoint(service, { provider_type: template.provider_type })
  const beat = await makeEventBeat(service)
  const created = await service.admin.post('/admin/external-triggers', { ...template.trigger, source_id: id })
  expect(created).toMatchObject({ status: 201, body: template.trigger })
  await send(service, token, template.example)
  await evaluate(service, id)
  const enabled = { draft: false, associations: [{ monitor_id: beat }] }
  expect(await service.admin.patch(`/admin/external-triggers/${created.body.id}`, enabled)).toMatchObject({
    status: 200,
  })
  return { id, token, beat }
}

test('each provider type besides generic has a template, and each template has a provider type', () => {
  expect(new Set(['generic', ...templates.map(({ provider_type }) => provider_type)])).toEqual(new Set(providerTypes))
  expect(Object.keys(sequences).sort()).toEqual(templates.map(({ name }) => name).sort())
})

test.each(Object.entries(sequences))(
  '%s: events set and resolve the stage of each fingerprint',
  async (name, steps) => {
    const { id, token, beat } = await connect(templates.find((one) => one.name === name)!)
    for (const { sends, stage, outcomes, fingerprints = [], explains = '' } of steps) {
      const { status, body } = await send(service, token, sends)
      expect(status).toBe(202)
      await evaluate(service, id)
      const { evaluations } = await eventOf(service, body.event_id)
      expect(evaluations.map((one: { outcome: string }) => one.outcome)).toEqual(outcomes)
      for (const [index, fingerprint] of fingerprints.entries())
        expect(evaluations[index]).toMatchObject({ fingerprint })
      expect(JSON.stringify(evaluations)).toContain(explains)
      expect(await stageOf(service, beat)).toBe(stage)
    }
  },
)

test('the example of each template sets a stage that is not healthy', async () => {
  for (const template of templates) {
    const { id, token, beat } = await connect(template)
    await send(service, token, template.example, { 'Idempotency-Key': 'again' })
    await evaluate(service, id)
    expect([template.name, await stageOf(service, beat)]).toEqual([template.name, 'critical'])
  }
})
