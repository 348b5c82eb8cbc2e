import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type MailServerForTests, openMailServer } from '../notifications/email/mail-server.ts'
import { openSkippingProcesses, quietRuntime, type SkippingProcesses } from '../support/processes.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let processes: SkippingProcesses
let service: SkippingProcesses['service']
let server: MailServerForTests
beforeAll(async () => {
  server = await openMailServer()
  processes = await openSkippingProcesses()
  service = processes.service
})
afterAll(async () => {
  await processes?.close()
  await server?.close()
})

test('the process of a page waits for nine in the morning, and sends one mail', async () => {
  await service.admin.patch('/admin/settings', {
    ...{ email_delivery_mode: 'smtp', email_smtp_host: '127.0.0.1', email_smtp_port: String(server.port) },
    email_from_address: 'status@example.com',
  })
  const subscriber = { channel: 'email', email: 'reader@example.com', confirmed: true, frequency: 'daily' }
  await service.admin.post('/admin/subscribers', subscriber)
  for (const title of ['First outage', 'Second outage']) await service.admin.post('/admin/incidents', { title })
  const workflow = `/admin/workflows/digest:${service.page.id}`
  await until(
    () => service.admin.get(workflow),
    ({ body }) => /^the next daily mail at \S+T09:00/.test(body.waiting_for),
  )
  expect(server.mails).toEqual([])
  await processes.pass('24 hours')
  await until(
    () => server.mails,
    ({ length }) => length === 1,
  )
  expect(server.mails[0]!.parsed.text).toMatch(/First outage[\s\S]*Second outage/)
  await until(
    () => service.admin.get(workflow),
    ({ body }) => body.state === 'done',
  )
  const { events } = (await service.admin.get(`${workflow}/history`)).body
  const notes = events.map(({ message }: { message: string }) => message)
  expect(notes).toContain('due: 1 daily mail with 2 notifications')
})
