import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-21T12:00:00.000Z') })
})
afterAll(() => service.close())

async function add(kind: 'incidents' | 'maintenances', record: object): Promise<string> {
  const { status, body } = await service.admin.post(`/admin/${kind}`, record)
  expect([status, body.errors]).toEqual([201, undefined])
  return `/${kind}/${body.id}`
}

/** The row of a record among the results. */
async function rowOf(words: string, path: string): Promise<string | undefined> {
  const { body } = await service.as(undefined).get(`//search?q=${words}`)
  return new RegExp(`<li><a href="${path}">.*?</li>`, 's').exec(body)?.[0]
}

test('a search shows the status of an incident', async () => {
  const [open, over] = [
    await add('incidents', { title: 'Payments fail', status: 'major_outage' }),
    await add('incidents', { title: 'Mails were late', status: 'degraded' }),
  ]
  await service.admin.post(`/admin${over}/resolve`)
  expect(await rowOf('payments', open)).toMatch(/<\/svg><bdi>Major outage<\/bdi>/)
  expect(await rowOf('mails', over)).toMatch(/<\/svg><bdi>Resolved<\/bdi>/)
})

test('a search shows the status of a maintenance, and the actual start instead of the planned start', async () => {
  const window = { scheduled_start_time: '2026-11-21T13:00:00Z', scheduled_end_time: '2026-11-21T14:00:00Z' }
  const affected_items = [{ id: await makeItem(service, 'Archive') }]
  const path = await add('maintenances', { title: 'Migration', affected_items, ...window })
  expect(await rowOf('migration', path)).toMatch(/<bdi>Scheduled<\/bdi>.*datetime="2026-11-21T13:00:00.000Z"/s)
  await service.admin.post(`/admin${path}/start`)
  expect(await rowOf('migration', path)).toMatch(/<bdi>In progress<\/bdi>.*datetime="2026-11-21T12:00:00.000Z"/s)
})
