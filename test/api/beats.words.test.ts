import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { LocalizedVariant } from '../../src/persistence/entities/localized-variant.ts'
import { actingBeat, actionsOf, carefully, goes, incidentsOf, look, mapItems, openly, see } from '../support/acting.ts'
import { makeItem } from '../support/maintenances.ts'
import { inPage, insertBeat } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
  await service.admin.patch('/admin/settings', { multilingual_enabled: true, multilingual_public_ready: true })
})
afterAll(() => service?.close())

const everything = [
  ...['{{Monitor-Name}}', '{{Monitor-Stage}}', '{{Evidence-Summary}}', '{{Latest-Latency-Ms}}'],
  ...['{{Latest-Status-Code}}', '{{Latest-Region}}', '{{Target-Url}}', '{{Hierarchy-Item-Name}}'],
  ...['{{impacted-level-1}}', '{{impacted-level-2}}'],
].join(' | ')

const translate = (id: number, locale: string, values: Record<string, string>, state = 'published') =>
  inPage(service, async ({ tx, pageId, now }) => {
    const row = { page_id: pageId, subject_kind: 'beat', subject_id: id, version: 1, updated_at: now }
    tx.create(LocalizedVariant, { ...row, locale, values, state })
  })

const preset = async (title: string, body: string, translations: object[] = []) => {
  const made = await service.admin.post('/admin/presets', { title, body, category: 'synthetic_critical', translations })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body.id as number
}

test('a message has the values of all its variables', async () => {
  const product = await makeItem(service, 'Shop')
  const serviceItem = await makeItem(service, 'Checkout', { parent_id: product, depth: 2 })
  const id = await insertBeat(service, {
    ...{
      name: 'Probe',
      action_policies: openly,
      message_policies: { critical: { title: '{{Monitor-Name}} down', body: everything } },
    },
    target: { url: 'https://user:pass@shop.example/health?token=abc&a=b' },
  })
  await mapItems(service, 'beat', id, [serviceItem])
  await see(service, id, 'critical', { latency_ms: 840, status_code: 503, region: 'local' })
  await look(service, 'beat', id)
  expect(await incidentsOf(service, id)).toMatchObject([
    {
      title: 'Probe down',
      description:
        'Probe | critical | 503 from db-7.internal | 840 | 503 | local | https://shop.example/health?token=•••&a=b | Checkout | Shop | Checkout',
    },
  ])
})

test('unknown values are left out, and an empty message is replaced by the default text', async () => {
  const message_policies = { critical: { title: '{{Latest-Latency-Ms}}', body: 'At {{Latest-Region}}.' } }
  const { id } = await actingBeat(service, { message_policies })
  await goes(service, id, 'critical')
  expect(await incidentsOf(service, id)).toMatchObject([{ title: 'Disruption of Payments', description: 'At .' }])
})

test('long texts are cut between two characters, in every language', async () => {
  const title = '{{Monitor-Name}}{{Monitor-Name}}'
  const { id } = await actingBeat(service, {
    ...{ name: `${'a'.repeat(148)}😀b`, action_policies: openly, message_policies: { critical: { title } } },
  })
  await translate(id, 'de', { 'critical.title': title })
  await goes(service, id, 'critical')
  const shown = `${'a'.repeat(148)}😀b${'a'.repeat(148)}`
  expect(await incidentsOf(service, id)).toMatchObject([{ title: shown, translations: [{ values: { title: shown } }] }])
})

test('a preset replaces absent fields of the policy until the preset is deleted', async () => {
  const preset_message_id = await preset('From the preset', 'Body of {{Hierarchy-Item-Name}}')
  const message_policies = { critical: { title: 'Of its own', preset_message_id } }
  const { id } = await actingBeat(service, { message_policies })
  await goes(service, id, 'critical', 'healthy')
  await service.admin.del(`/admin/presets/${preset_message_id}`)
  await goes(service, id, 'critical')
  expect(await incidentsOf(service, id)).toMatchObject([
    { title: 'Of its own', description: 'Body of Payments' },
    { title: 'Of its own', description: 'Payments is disrupted. We are looking into it.' },
  ])
})

test('published translations become translations of the incident and of its updates', async () => {
  const said = { state: 'published', values: { title: 'Titel der Vorlage', body: 'Text der Vorlage' } }
  const preset_message_id = await preset('Title', 'Body', [{ locale: 'de', ...said }])
  const message_policies = { critical: { title: 'Own', preset_message_id }, recovery: { body: 'Over' } }
  const { id } = await actingBeat(service, { message_policies })
  await translate(id, 'de', { 'critical.title': '{{Hierarchy-Item-Name}} gestört', 'recovery.body': 'Vorbei' })
  await translate(id, 'fr', { 'critical.body': 'Panne' }, 'draft')
  await goes(service, id, 'critical', 'healthy')
  const [posted] = await incidentsOf(service, id)
  expect(posted.translations).toMatchObject([
    { locale: 'de', state: 'published', values: { title: 'Payments gestört', description: 'Text der Vorlage' } },
  ])
  expect(posted.updates[0]).toMatchObject({
    ...{ message: 'Over', translations: [{ locale: 'de', values: { message: 'Vorbei' } }] },
  })
  const read = await service.as(undefined).get(`/incidents/${posted.id}?locale=de`)
  expect(read.body).toMatchObject({ title: 'Payments gestört', updates: [{ message: 'Vorbei' }] })
})

test('an incident has only translations in the languages of its page', async () => {
  await service.admin.patch('/admin/settings', { supported_locales: ['en', 'de'] })
  const { id } = await actingBeat(service)
  await translate(id, 'de', { 'critical.body': 'Gestört' })
  await translate(id, 'it', { 'critical.body': 'Guasto' })
  await goes(service, id, 'critical')
  const [posted] = await incidentsOf(service, id)
  expect(posted.translations).toMatchObject([{ locale: 'de' }])
  await service.admin.patch('/admin/settings', { supported_locales: null })
})

test('a draft keeps the texts and translations of the moment of the stage change', async () => {
  const { id } = await actingBeat(service, { action_policies: carefully })
  await translate(id, 'de', { 'critical.title': 'Gestört' })
  await goes(service, id, 'critical')
  const [action] = await actionsOf(service, id)
  expect(action.draft.translations).toEqual([
    { locale: 'de', title: 'Gestört', body: 'Payments ist gestört. Wir untersuchen die Ursache.' },
  ])
  const { body } = await service.admin.post(`/admin/beat-actions/${action.id}/approve`)
  expect(body.incident.translations).toMatchObject([{ locale: 'de', values: { title: 'Gestört' } }])
})

test('the default text is in the languages of the page, with the names of items in them', async () => {
  const { id } = await actingBeat(service, { action_policies: openly })
  const { item_id } = (
    await service.services.system.em
      .fork()
      .execute(`select item_id from beat_component where owner_kind = 'beat' and owner_id = ?`, [id])
  )[0] as { item_id: number }
  await service.admin.patch(`/admin/hierarchy/items/${item_id}`, {
    translations: [{ locale: 'de', values: { name: 'Zahlungen' }, state: 'published' }],
  })
  await goes(service, id, 'critical')
  const [incident] = await incidentsOf(service, id)
  const read = async (locale: string) =>
    (await service.as(undefined).get(`/incidents/${incident.id}?locale=${locale}`)).body
  expect(await read('de')).toMatchObject({
    title: 'Störung: Zahlungen',
    description: 'Zahlungen ist gestört. Wir untersuchen die Ursache.',
  })
  expect(await read('en')).toMatchObject({ title: 'Disruption of Payments' })
})
