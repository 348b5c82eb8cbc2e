import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
  const { admin } = service
  await admin.patch('/admin/settings', { multilingual_enabled: true, multilingual_public_ready: true })
  const { body: item } = await admin.post('/admin/hierarchy/items', { name: 'Crème Brûlée' })
  const words = { title: 'Système ÉTEINT 100%', affected_items: [{ id: item.id }] }
  const german = { locale: 'de', values: { title: 'Störung in Österreich' }, state: 'published' }
  await admin.post('/admin/incidents', { ...words, translations: [german] })
  await admin.post('/admin/maintenances', { ...words, translations: [german] })
  const rule = { critical_rule: { consecutive_failures: 3 } }
  const beat = { type: 'http', target: { url: 'https://example.com/' }, threshold_policies: rule }
  await admin.post('/admin/beats', { ...beat, name: 'Żółw' })
  await admin.post('/admin/beat-groups', { name: 'Ακρόπολις' })
})
afterAll(() => service.close())

// One search writes its accent as a combining mark, all others as one character with its letter.
test.each([
  [
    '/admin/incidents',
    ['systeme', 'SYSTÈME', 'syste\u0300me', 'eteint', 'osterreich', 'STORUNG', '100%'],
    ['1000', '_'],
  ],
  ['/incidents', ['systeme', 'osterreich'], ['systemes']],
  ['/admin/maintenances', ['systeme', 'Österreich'], ['_']],
  ['/maintenances', ['éteint', 'storung'], ['xsysteme']],
  ['/admin/hierarchy/items', ['creme', 'BRULEE', 'brûlée', 'Crème'], ['%', '_']],
  ['/admin/beats', ['zoł', 'ŻÓŁW'], ['zozo']],
  ['/admin/beat-groups', ['ακροπολις', 'ΑΚΡΌΠΟΛΙ'], ['acropolis']],
] as const)('the search of %s ignores case and accents', async (path, found, missed) => {
  const total = async (search: string) => {
    const { status, body } = await service.admin.get(`${path}?search=${encodeURIComponent(search)}`)
    return [search, status, body.total]
  }
  for (const search of found) expect(await total(search)).toEqual([search, 200, 1])
  for (const search of missed) expect(await total(search)).toEqual([search, 200, 0])
})
