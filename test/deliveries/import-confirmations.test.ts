import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type MailServerForTests, openMailServer } from '../notifications/email/mail-server.ts'
import { deliveriesOf, type TestDeliveries } from '../support/deliveries.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let deliveries: TestDeliveries
let server: MailServerForTests
beforeAll(async () => {
  server = await openMailServer()
  service = await openTestService()
  deliveries = deliveriesOf(service)
  await service.admin.patch('/admin/settings', {
    ...{ email_delivery_mode: 'smtp', email_smtp_host: '127.0.0.1', email_smtp_port: String(server.port) },
    email_from_address: 'status@example.com',
  })
})
afterAll(async () => {
  await deliveries?.close()
  await service?.close()
  await server?.close()
})

const subscriberAt = async (email: string) =>
  (await service.admin.get(`/admin/subscribers?search=${email}&view=full`)).body.subscribers[0]

test('an import asks each new subscriber to confirm, with one notification for all and a link for each', async () => {
  const csv = 'email\nada@example.com\nbob@example.com\neve@example.com\n'
  await service.admin.request('POST', '/admin/subscribers/import', csv, { 'Content-Type': 'text/csv' })
  await service.admin.post(`/admin/subscribers/${(await subscriberAt('eve@example.com')).id}/suppress`)
  await deliveries.settle()
  expect(server.mails.flatMap(({ to }) => to).sort()).toEqual(['ada@example.com', 'bob@example.com'])
  const { notifications } = (await service.admin.get('/admin/notifications?key=subscription.confirm&view=full')).body
  expect(notifications).toMatchObject([
    { state: 'done', subject: { kind: 'page', id: service.page.id }, counts: { sent: 2, suppressed: 1 } },
  ])
  for (const { to, parsed } of server.mails) {
    const [, token] = /\/subscriptions\/confirm\?token=([\w-]+)/.exec(parsed.text ?? '')!
    await service.as(undefined).post(`/subscriptions/confirm?token=${token}`)
    expect(await subscriberAt(to[0]!)).toMatchObject({ state: 'active' })
  }
})
