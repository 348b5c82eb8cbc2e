import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

/** Public reads name items, status types, stages and the page in the language of the reader. */

let service: TestService
let checkout: number
const published = (values: object) => [{ locale: 'de', values, state: 'published' }]
beforeAll(async () => {
  service = await openTestService()
  const { patch, post, get } = service.admin
  await patch('/admin/settings', {
    ...{ multilingual_enabled: true, multilingual_public_ready: true, site_title: 'Acme' },
    translations: published({ site_title: 'Firma', site_subtitle: 'Zustand' }),
  })
  const shop = await post('/admin/hierarchy/items', {
    ...{ name: 'Shop', translations: published({ name: 'Laden', description: 'Verkauft.' }) },
  })
  checkout = (await post('/admin/hierarchy/items', { name: 'Checkout', parent_id: shop.body.id })).body.id
  const { status_types } = (await get('/admin/status-types')).body
  const degraded = status_types.find(({ key }: { key: string }) => key === 'degraded')
  await patch(`/admin/status-types/${degraded.id}`, { translations: published({ name: 'Angeschlagen' }) })
  const { lifecycle_stages } = (await get('/admin/lifecycle-stages/incident')).body
  await patch(`/admin/lifecycle-stages/incident/${lifecycle_stages[1].id}`, {
    translations: published({ name: 'Erkannt', description: 'Wir wissen es.' }),
  })
  const affected = { affected_items: [{ id: checkout }], status: 'degraded' }
  const incident = await post('/admin/incidents', { title: 'Slow', ...affected })
  await post(`/admin/incidents/${incident.body.id}/updates`, { message: 'M', lifecycle_stage_name: 'Identified' })
  await post('/admin/maintenances', { title: 'Work', affected_items: [{ id: checkout }], status: 'in_progress' })
})
afterAll(() => service.close())

const read = async (path: string, locale: string) =>
  (await service.as(undefined).get(`/pages/public/first${path}`, { 'Accept-Language': locale })).body

const path = (locale: string) => (locale === 'de' ? 'Laden / Checkout' : 'Shop / Checkout')

test.each([
  ['de', 'Laden', 'Verkauft.'],
  ['en', 'Shop', undefined],
])('the components in %s', async (locale, name, description) => {
  const { components } = await read('/components', locale)
  expect(components).toEqual([
    expect.objectContaining({ name, hierarchy_path: name, ...(description ? { description } : {}) }),
    expect.objectContaining({ name: 'Checkout', hierarchy_path: path(locale) }),
  ])
})

test.each([
  ['de', ['Erkannt', 'Wird untersucht'], 'Wir wissen es.'],
  ['en', ['Identified', 'Investigating'], 'We know the cause and work on it.'],
])('an incident in %s', async (locale, names, description) => {
  const { incidents } = await read('/incidents?view=full', locale)
  const [incident] = incidents
  expect(incident.affected_items[0].hierarchy_path).toBe(path(locale))
  expect(incident.lifecycle_stage).toMatchObject({ name: names[0], description })
  expect(incident.updates[0].lifecycle_stage).toMatchObject({ name: names[0], description })
})

test.each([
  ['de', 'In Arbeit'],
  ['en', 'In progress'],
])('a maintenance in %s', async (locale, name) => {
  const { maintenances } = await read('/maintenances?view=full', locale)
  expect(maintenances[0].affected_items[0].hierarchy_path).toBe(path(locale))
  expect(maintenances[0].lifecycle_stage.name).toBe(name)
  expect(maintenances[0].updates[0].lifecycle_stage.name).toBe(name)
})

test.each([
  ['de', 'Angeschlagen', 'Laden'],
  ['en', 'Degraded', 'Shop'],
])('the summary and the history in %s', async (locale, status, item) => {
  const { status: state, items, incidents } = await read('/summary', locale)
  expect([state.name, items[0].name]).toEqual([status, item])
  expect(state.sentence).toMatch(new RegExp(`^${status}`))
  expect(incidents[0].affected_items[0].hierarchy_path).toBe(path(locale))
  const history = await read('/history?days=2', locale)
  expect(history.items.map((one: { item: { name: string } }) => one.item.name)).toEqual([item, 'Checkout'])
})

test('the page names everything in German, and marks what is not', async () => {
  const { body } = await service.as(undefined).get('//', { 'Accept-Language': 'de' })
  for (const words of ['Firma', 'Zustand', 'Laden', 'Verkauft.', 'Angeschlagen', 'Erkannt', 'In Arbeit'])
    expect([words, body.includes(words)]).toEqual([words, true])
  for (const words of ['Acme', '>Shop<', '>Degraded<', '>Identified<', '>Investigating<'])
    expect([words, body.includes(words)]).toEqual([words, false])
  expect(body).toContain('<bdi lang="en">Checkout</bdi>')
  expect(body).toContain('<bdi>Laden</bdi>')
})

test.each([
  ['de', 'Diese Störung ist behoben.', 'Der Status ist jetzt „Größerer Ausfall“.'],
  ['en', 'This incident has been resolved.', 'The status is now "Major outage".'],
])('automatic entries are read in %s while they are unedited', async (locale, resolved, moved) => {
  const { id } = (await service.admin.post('/admin/incidents', { title: 'Short', status: 'degraded' })).body
  await service.admin.patch(`/admin/incidents/${id}`, { status: 'major_outage' })
  await service.admin.post(`/admin/incidents/${id}/resolve`)
  const messages = async () =>
    (await read(`/incidents/${id}`, locale)).updates.map(({ message }: { message: string }) => message)
  expect(await messages()).toEqual([resolved, moved])
  const { updates } = (await service.admin.get(`/admin/incidents/${id}`)).body
  expect(updates[0].message).toBe('This incident has been resolved.')
  await service.admin.patch(`/admin/incidents/${id}/updates/${updates[0].id}`, { message: 'It is over.' })
  expect(await messages()).toEqual(['It is over.', moved])
})

test('the automatic entries of a maintenance are marked as German', async () => {
  const { id } = (
    await service.admin.post('/admin/maintenances', {
      title: 'Done',
      status: 'in_progress',
      affected_items: [{ id: checkout }],
    })
  ).body
  await service.admin.post(`/admin/maintenances/${id}/complete`)
  const { body } = await service.as(undefined).get(`//maintenances/${id}`, { 'Accept-Language': 'de' })
  expect(body).toMatch(/<div class="prose" dir="auto"><p>Diese Wartung ist abgeschlossen\.<\/p>/)
})

test('a search finds an item by its German name', async () => {
  const { body } = await service.as(undefined).get('//search?q=laden', { 'Accept-Language': 'de' })
  expect(body).toContain('<bdi>Laden</bdi>')
})
